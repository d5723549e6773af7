import json
import shutil
from dataclasses import asdict

from typer.testing import CliRunner

from keyseq.cli import app
from keyseq.config import load_settings


def test_a_network_is_calibrated_by_a_command_and_says_by_how_much(exported, tmp_path):
    out = shutil.copytree(exported[0], tmp_path / "network")
    lines = [json.dumps({"id": str(n), "abstract": f"w{n} w{n + 1} w9", "keywords": ["w9"]}) for n in range(12)]
    (tmp_path / "valid.jsonl").write_text("\n".join(lines))
    ran = CliRunner().invoke(app, ["calibrate", str(out), str(tmp_path / "valid.jsonl"), "--documents", "8", "--json"])
    assert ran.exit_code == 0, ran.output
    outcome = json.loads(ran.stdout)
    assert outcome["number"]["documents"] == 8
    assert outcome["number"]["error"] <= outcome["number"]["uncalibrated"]
    assert outcome["order"]["documents"] == 8
    assert outcome["order"]["weights"] == asdict(load_settings(out / "settings.toml").order)
    ran = CliRunner().invoke(app, ["calibrate", str(out), str(tmp_path / "valid.jsonl"), "--documents", "8"])
    assert "the number of phrases is off by" in ran.output
    learnt = load_settings(out / "settings.toml").order.is_learnt
    told = "of as many first phrases of an exhaustive search" if learnt else "the published order is as good"
    assert told in " ".join(ran.output.split())
