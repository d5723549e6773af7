"""Flags that several verbs share, and that reach them as one argument."""

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

Verb = Callable[..., None]


def grouped(argument: str, flags: Mapping[str, Any], build: Callable[..., object]) -> Callable[[Verb], Verb]:
    """Replace one argument of a verb by flags, from whose values `build` makes it.

    `flags` are annotations by the names of parameters. A verb that has a parameter of such a name itself keeps it, and
    the argument is made without it.
    """

    def decorate(verb: Verb) -> Verb:
        own = inspect.signature(verb).parameters
        shared = {name: flag for name, flag in flags.items() if name not in own}

        @functools.wraps(verb)
        def run(**given: Any) -> None:
            values = {name: given.pop(name) for name in shared if name in given}
            verb(**given, **{argument: build(**values)})

        sign(run, [parameter for name, parameter in own.items() if name != argument], shared)
        return run

    return decorate


def sign(run: Verb, own: list[inspect.Parameter], shared: Mapping[str, Any], default: Any = None) -> None:
    """Give a function the signature that typer makes the command line of: its own parameters, and shared ones."""
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=flag)
        for name, flag in shared.items()
    ]
    keywords = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    run.__signature__ = inspect.Signature([*keywords, *added])  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in (*keywords, *added)}
    del run.__wrapped__  # type: ignore[attr-defined]  # which typer would look at
