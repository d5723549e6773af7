"""HTML from Python values; all but markup is escaped."""

from html import escape

VOID = frozenset({"circle", "img", "input", "line", "meta", "rect"})


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def element(tag: str, *children: object, **attributes: str | float | bool | None) -> Markup:
    """Write an element; None among children or attributes is left out, True is an attribute without a value.

    Attributes are named as Python can: `class_`, `data_order` for `data-order`.
    """
    written = "".join(map(_attribute, attributes.items()))
    if tag in VOID:
        return Markup(f"<{tag}{written}>" if tag in {"img", "input", "meta"} else f"<{tag}{written}/>")
    return Markup(f"<{tag}{written}>{join(*children)}</{tag}>")


def join(*children: object) -> Markup:
    """Put markup and text in a row, the text escaped."""
    return Markup(
        "".join(child if isinstance(child, Markup) else escape(str(child)) for child in children if child is not None)
    )


def _attribute(attribute: tuple[str, str | float | bool | None]) -> str:
    name, value = attribute
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'
