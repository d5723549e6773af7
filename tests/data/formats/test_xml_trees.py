"""XML is parsed in time that grows with it, whatever is long in it."""

import time

import pytest

from keyseq.data.formats.xml_trees import elements, local, root_name

LENGTH = 16 << 20


@pytest.mark.parametrize(("before", "after"), [("<!-- ", " -->"), ('<a b="', '"/>'), ("<?", "?>")])
def test_what_is_long_is_not_begun_again_with_each_piece(before, after):
    xml = f"<collection>{before}{'a' * LENGTH}{after}<record/></collection>".encode()
    start = time.process_time()
    assert [local(found) for found in elements(xml, "a.xml", "record")] == ["record"]
    assert root_name(xml, "a.xml") == "collection"
    assert time.process_time() - start < 3  # it would be six


def test_elements_over_the_seams_of_pieces_are_whole():
    records = [f"<record>{'robot ' * (number % 90)}{number}</record>" for number in range(20_000)]
    xml = f"<collection>{''.join(records)}</collection>".encode()
    assert [f"<record>{found.text}</record>" for found in elements(xml, "a.xml", "record")] == records
