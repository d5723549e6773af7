import json
import shutil
from dataclasses import asdict

from typer.testing import CliRunner

from keyseq.calibration.ending import EndingFit
from keyseq.calibration.reranking import RerankingFit
from keyseq.cli import app
from keyseq.cli.calibrate import _ending, _reranking
from keyseq.config import EndingSettings, OrderSettings, load_settings


def test_a_network_is_calibrated_by_a_command_and_says_by_how_much(exported, tmp_path):
    out = shutil.copytree(exported[0], tmp_path / "network")
    lines = [json.dumps({"id": str(n), "abstract": f"w{n} w{n + 1} w9", "keywords": ["w9"]}) for n in range(12)]
    (tmp_path / "valid.jsonl").write_text("\n".join(lines))
    ran = CliRunner().invoke(app, ["calibrate", str(out), str(tmp_path / "valid.jsonl"), "--documents", "8", "--json"])
    assert ran.exit_code == 0, ran.output
    outcome = json.loads(ran.stdout)
    ending, reranking = outcome["ending"], outcome["reranking"]
    assert ending["documents"] == reranking["documents"] == 8
    assert ending["mae"] <= ending["mae_uncalibrated"]
    assert reranking["weights"] == asdict(load_settings(out / "settings.toml").order)
    ran = CliRunner().invoke(app, ["calibrate", str(out), str(tmp_path / "valid.jsonl"), "--documents", "8"])
    first, second = ran.stderr.splitlines()
    ending["ending"], reranking["weights"] = EndingSettings(**ending["ending"]), OrderSettings(**reranking["weights"])
    assert first == f"{out}: {_ending(EndingFit(**ending))}"
    assert second == f"{out}: {_reranking(RerankingFit(**reranking))}"


def test_a_fit_is_told_in_the_measures_of_the_field():
    ending = EndingFit(ending=EndingSettings(), documents=1000, mae=1.324, mae_uncalibrated=2.0, mae_mean_baseline=1.44)
    told = "MAE of the number of phrases 1.32 on 1,000 documents (uncalibrated 2.00, mean baseline 1.44)"
    assert _ending(ending) == told
    assert _ending(None) == "generates one phrase per sequence, so its number of phrases was not calibrated"
    better = RerankingFit(
        weights=OrderSettings(bias=-1.0, share=1.0), documents=10, r_precision=0.311, r_precision_published=0.25
    )
    assert _reranking(better) == "R-precision of exhaustive decoding 31.1% on these documents (published order 25.0%)"


def test_a_reranking_that_does_not_help_is_told_as_such():
    kept = RerankingFit(weights=OrderSettings(), documents=10, r_precision=0.25, r_precision_published=0.25)
    assert _reranking(kept).startswith("reranking did not improve the R-precision of the published order (25.0%)")
