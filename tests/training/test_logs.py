from keyseq.training.logs import Logs, read_log


def test_a_run_taken_up_at_a_step_takes_back_what_was_written_after_it(tmp_path):
    logs = Logs(tmp_path, 0)
    for step in (1, 2, 3):
        logs.write("train", step, {"loss": float(step)})
    logs.close()
    logs = Logs(tmp_path, 2)
    logs.write("valid", 3, {"loss": 9.0})
    logs.close()
    assert list(read_log(tmp_path / "log.jsonl")) == [
        {"step": 1, "kind": "train", "loss": 1.0},
        {"step": 2, "kind": "train", "loss": 2.0},
        {"step": 3, "kind": "valid", "loss": 9.0},
    ]


def test_a_line_that_a_kill_cut_short_is_passed_over(tmp_path):
    (tmp_path / "log.jsonl").write_text('{"step": 1, "kind": "train"}\n{"step": 2, "ki')
    assert [line["step"] for line in read_log(tmp_path / "log.jsonl")] == [1]
    logs = Logs(tmp_path, 5)
    logs.write("train", 6, {})
    logs.close()
    assert [line["step"] for line in read_log(tmp_path / "log.jsonl")] == [1, 6]


def test_there_is_no_log_before_the_first_run(tmp_path):
    assert list(read_log(tmp_path / "log.jsonl")) == []
