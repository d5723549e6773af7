"""The packages that keyseq and its extras install, with versions and licences, as CycloneDX JSON.

`python -m release.bill_of_materials [EXTRA ...] > keyseq.cdx.json` lists what is installed here.
"""

import json
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = "keyseq"
TOOLS = ("dev", "docs")  # extras that nobody needs to run keyseq


def extras() -> list[str]:
    """The extras that users install."""
    return sorted(set(distribution(PROJECT).metadata.get_all("Provides-Extra") or ()) - set(TOOLS))


def required(wanted: Iterable[str]) -> dict[str, str]:
    """The packages that keyseq with these extras pulls, by name, with their versions; those that are not installed."""
    found: dict[str, str] = {}
    waiting = [(PROJECT, frozenset(wanted))]
    seen = set()
    while waiting:
        name, chosen = waiting.pop()
        if (name, chosen) in seen:
            continue
        seen.add((name, chosen))
        try:
            there = distribution(name)
        except PackageNotFoundError:
            found[name] = ""
            continue
        if name != PROJECT:
            found[name] = there.version
        waiting += [
            (canonicalize_name(one.name), frozenset(one.extras)) for one in _needs(there.requires or (), chosen)
        ]
    return dict(sorted(found.items()))


def _needs(lines: Iterable[str], chosen: Iterable[str]) -> Iterable[Requirement]:
    for one in map(Requirement, lines):
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in ("", *chosen)):
            yield one


def licence(name: str) -> str:
    """The licence that a package states, by its expression, its classifiers or its own words."""
    about = distribution(name).metadata
    if stated := about["License-Expression"]:
        return str(stated)
    classified = [
        one.rpartition(" :: ")[2] for one in about.get_all("Classifier") or () if one.startswith("License ::")
    ]
    if named := [one for one in classified if one != "OSI Approved"]:
        return "; ".join(named)
    return next(iter(str(about["License"] or "").strip().splitlines()), "")


def bill(wanted: Iterable[str]) -> dict[str, Any]:
    """The list in the format of CycloneDX."""
    components = [
        {
            "type": "library",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name}@{version}",
            "licenses": [{"license": {"name": licence(name)}}],
        }
        for name, version in required(wanted).items()
        if version
    ]
    keyseq = {"type": "application", "name": PROJECT, "version": distribution(PROJECT).version}
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "metadata": {"component": keyseq}, "components": components}


if __name__ == "__main__":
    print(json.dumps(bill(sys.argv[1:] or extras()), indent=1))
