"""Whether the lower bounds of pyproject.toml are honest: install the oldest allowed versions, and try them.

`python -m release.oldest [EXTRA ...]` makes an environment for the base install and for each extra; it needs the
package index. uv chooses the versions.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAPER = ROOT / "examples" / "paper.txt"
EXAMPLES = ("generate", str(PAPER), "--top", "3"), ("evaluate", "--help"), ("systems",)
IMPORTS = {  # what each extra is for
    "analysis": "keyseq.analysis.drawing, sklearn",
    "baselines": "sklearn, yake",
    "clean": "ftfy, loky",
    "client": "keyseq.client",
    "combined": "lightgbm, threadpoolctl",
    "files": "keyseq.data.formats.pdf, keyseq.data.formats.marc, openpyxl, trafilatura, pypdf, pymarc",
    "lemmas": "simplemma",
    "pandas": "keyseq.integrations.pandas_accessor",
    "parquet": "pyarrow.parquet",
    "serve": "keyseq.serving.app",
    "sklearn": "keyseq.integrations.sklearn_transformer",
    "skos": "pyoxigraph",
    "stackexchange": "lxml, py7zr",
}


def tried(extra: str) -> bool:
    """Whether keyseq with an extra works in its oldest versions."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        wanted = f"{ROOT}[{extra}]" if extra else str(ROOT)
        steps = [
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv"],
            [
                python,
                "-m",
                "uv",
                "pip",
                "install",
                "--quiet",
                "--python",
                python,
                "--resolution",
                "lowest-direct",
                wanted,
            ],
            *([python, "-m", "keyseq", *arguments] for arguments in EXAMPLES),
            [python, "-c", f"import {IMPORTS.get(extra, 'keyseq')}"],
        ]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        for step in steps:
            ran = subprocess.run(step, cwd=folder, env=environment, capture_output=True, text=True, check=False)
            if ran.returncode:
                print(f"{extra or 'base'}: {' '.join(step[2:6])}: {ran.stderr.strip().splitlines()[-1:]}", flush=True)
                return False
    print(f"{extra or 'base'}: works", flush=True)
    return True


if __name__ == "__main__":
    results = [tried(extra) for extra in sys.argv[1:] or ["", *IMPORTS]]
    sys.exit(0 if all(results) else 1)
