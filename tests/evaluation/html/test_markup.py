"""Whether text stays text."""

import pytest

from keyseq.evaluation.html.markup import Markup, element, join


@pytest.mark.parametrize(
    ("written", "expected", "reason"),
    [
        (element("p", "a < b & c"), "<p>a &lt; b &amp; c</p>", "text is escaped"),
        (element("p", element("b", "x")), "<p><b>x</b></p>", "markup is not"),
        (element("p", None, 3), "<p>3</p>", "None is left out"),
        (element("p", title='"><script>'), '<p title="&quot;&gt;&lt;script&gt;"></p>', "nothing leaves an attribute"),
        (element("td", class_="x", data_place=0), '<td class="x" data-place="0"></td>', "names as HTML has them"),
        (element("details", open=True, hidden=False), "<details open></details>", "attributes that are on or off"),
        (element("meta", charset="utf-8"), '<meta charset="utf-8">', "an element without an end"),
        (element("line", x1="1"), '<line x1="1"/>', "the same in SVG"),
        (join("<", Markup("<br>"), None), "&lt;<br>", "in a row"),
    ],
)
def test_elements(written, expected, reason):
    assert isinstance(written, Markup)
    assert written == expected, reason
