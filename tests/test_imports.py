"""Imports that ordinary import statements do badly."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from keyseq.errors import MissingExtraError
from keyseq.imports import import_leaf, require


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_a_leaf_comes_without_the_package_around_it():
    code = (
        "import sys; from keyseq.imports import import_leaf; import_leaf('nltk.stem.porter');"
        "print('numpy' in sys.modules, 'nltk.corpus' in sys.modules)"
    )
    assert run(code) == "False False"


def test_the_whole_package_can_still_be_imported_afterwards():
    code = (
        "from keyseq.imports import import_leaf; porter = import_leaf('nltk.stem.porter').PorterStemmer;"
        "import nltk; print(nltk.__version__ != '', nltk.stem.PorterStemmer().stem('skies') == porter().stem('skies'))"
    )
    assert run(code) == "True True"


def test_a_package_that_is_there_already_is_used():
    import json.decoder

    assert import_leaf("json.decoder") is json.decoder


def test_a_missing_extra_is_named_with_the_command_that_brings_it():
    with pytest.raises(MissingExtraError, match=r"pip install 'keyseq\[ray\]'"):
        require("no_such_library", "ray")


def test_a_command_is_run_without_importing_the_others():
    code = (
        "import sys; sys.argv = ['keyseq', 'systems', '--json'];"
        "from keyseq.cli import main\ntry: main()\nexcept SystemExit as end: assert not end.code\n"
        "print('others:', *sorted(name for name in sys.modules if name in ('keyseq.cli.generate', 'keyseq.cli.train')))"
    )
    assert run(code).split("\n")[-1] == "others:"


def test_commands_are_listed_as_they_are_without_importing_them():
    code = (
        "import sys; sys.argv = ['keyseq', '--help']; from keyseq.cli import main\n"
        "try: main()\nexcept SystemExit as end: assert not end.code\n"
        "print(*sorted(name for name in sys.modules if name in ('keyseq.cli.generate', 'keyseq.cli.serve')))"
    )
    from keyseq.cli import app

    listed = CliRunner().invoke(app, ["--help"], prog_name="keyseq").output
    assert run(code).split() == listed.split()
    assert "generate" in listed


def test_a_plain_text_loads_no_reader_of_another_format_and_a_ranker_of_it_no_arrays():
    code = (
        "import sys; from typer.testing import CliRunner; from keyseq.cli import app;"
        "ran = CliRunner().invoke(app, ['generate', '--json', '-s', 'textrank'], input='Robots follow commands.');"
        "assert ran.exit_code == 0, ran.output;"
        "prefix = 'keyseq.data.formats.';"
        "print(*sorted(name.removeprefix(prefix) for name in sys.modules if name.startswith(prefix)));"
        "print(*{'lxml', 'openpyxl', 'pyarrow', 'pymarc', 'pypdf', 'trafilatura', 'yaml'} & {*sys.modules});"
        "print(*{'numpy', 'regex', 'keyseq.config.settings'} & {*sys.modules})"
    )
    loaded = "columns document_reading encodings file_names format format_registry plain reading_report recognition"
    assert run(code).split("\n") == [f"{loaded} source target"]
