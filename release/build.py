"""Build the wheel and the source distribution, twice: the bytes must be the same; then look into them and try them.

`python -m release.build dist` writes both into a folder.
"""

import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
LARGEST = 64 << 20  # bytes of the wheel, most of them the networks and tables of the systems
NEEDED = ("keyseq/cli/__init__.py", "keyseq/pretrained/scholar/combined.toml", "keyseq/py.typed")
UNWANTED = (".pyc", ".orig", ".lock", ".DS_Store")


def build(folder: Path) -> list[Path]:
    """Build both into a folder; their files are dated as the last commit, so that bytes do not depend on the day."""
    dated = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=True)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": dated.stdout.strip()}
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    return sorted(folder.iterdir())


def names(path: Path) -> list[str]:
    """The names of the files in a wheel or source distribution."""
    if path.suffix == ".whl":
        return zipfile.ZipFile(path).namelist()
    return tarfile.open(path).getnames()


def check(path: Path) -> None:
    """Refuse a distribution that lacks something, holds what it should not, or is too large."""
    held = names(path)
    missing = [name for name in NEEDED if not any(one.endswith(name) for one in held)]
    unwanted = [name for name in held if name.endswith(UNWANTED)]
    if missing or unwanted or path.stat().st_size > LARGEST:
        sys.exit(f"{path}: lacks {missing}, holds {unwanted}, {path.stat().st_size:,} bytes of at most {LARGEST:,}")


def smoke(path: Path) -> None:
    """Install it into a fresh environment, and generate the keyphrases of a paper."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(path)]
        subprocess.run([*pip, "-c", str(ROOT / "constraints.txt")], check=True)
        paper = ROOT / "examples" / "paper.txt"
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        told = subprocess.run(
            [python, "-m", "keyseq", "generate", str(paper)],
            cwd=folder,
            env=environment,
            capture_output=True,
            check=True,
        )
        if not told.stdout.strip():
            sys.exit(f"{path}: generates nothing")


def main(folder: Path) -> None:
    """Build, compare, check and try."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("keyseq-*"):
        old.unlink()
    with tempfile.TemporaryDirectory() as again:
        made, twice = build(folder), build(Path(again))
        for one, other in zip(made, twice, strict=True):
            if one.read_bytes() != other.read_bytes():
                sys.exit(f"{one.name}: other bytes when it is built again")
    for one in made:
        check(one)
        smoke(one)
        print(f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.name}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "dist"))
