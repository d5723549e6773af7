"""Build the wheel and the source distribution, twice: the bytes must be the same; then look into them and try them.

`python -m release.build dist` writes both into a folder, with their checksums. It tries them with each Python of
`PYTHONS` that is on this machine, and says which are not; their metadata are checked by twine.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SUMS = "SHA256SUMS"
PYTHONS = ("3.11", "3.12", "3.13")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
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


def interpreter(version: str) -> str | None:
    """The Python of a version on the search path, if it can make environments."""
    path = shutil.which(f"python{version}")
    if path and not subprocess.run([path, "-c", "import ensurepip, venv"], capture_output=True, check=False).returncode:
        return path
    return None


def environment(folder: str, python: str, *packages: str) -> str:
    """A fresh environment with packages, in the versions that keyseq is tested with; its Python."""
    subprocess.run([python, "-m", "venv", folder], env=ENVIRONMENT, check=True)
    inside = str(Path(folder) / "bin" / "python")
    pip = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
    subprocess.run([*pip, "-c", str(ROOT / "constraints.txt")], env=ENVIRONMENT, check=True)
    return inside


def smoke(path: Path, python: str) -> None:
    """Install it into a fresh environment, and generate the keyphrases of a paper."""
    with tempfile.TemporaryDirectory() as folder:
        inside = environment(folder, python, str(path))
        paper = ROOT / "examples" / "paper.txt"
        command = [inside, "-m", "keyseq", "generate", str(paper)]
        told = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, check=True)
        if not told.stdout.strip():
            sys.exit(f"{path}: generates nothing")


def check_metadata(paths: list[Path]) -> None:
    """What a package index would refuse, by twine."""
    with tempfile.TemporaryDirectory() as folder:
        inside = environment(folder, sys.executable, "twine")
        subprocess.run([inside, "-m", "twine", "check", "--strict", *map(str, paths)], check=True)


def main(folder: Path) -> None:
    """Build, compare, check and try."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("keyseq-*"), *folder.glob(f"{SUMS}*")):
        old.unlink()
    with tempfile.TemporaryDirectory() as again:
        made, twice = build(folder), build(Path(again))
        for one, other in zip(made, twice, strict=True):
            if one.read_bytes() != other.read_bytes():
                sys.exit(f"{one.name}: other bytes when it is built again")
    check_metadata(made)
    pythons = {version: interpreter(version) for version in PYTHONS}
    for one in made:
        check(one)
        for python in filter(None, pythons.values()):
            smoke(one, python)
    tried = ", ".join(version for version, python in pythons.items() if python)
    absent = ", ".join(version for version, python in pythons.items() if not python)
    print(f"tried with Python {tried}" + (f"; not on this machine: {absent}" if absent else ""))
    lines = [f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.name}\n" for one in made]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")
    print(*lines, sep="", end="")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "dist"))
