import pytest

from keyseq.data.boilerplate import without_heading, without_keyword_list, without_notice

BODY = "We walk on ice. It holds."


@pytest.mark.parametrize(
    "notice",
    [
        "© 2019 Elsevier B.V. All rights reserved.",
        "(C) 2004 Somebody Ltd. All rights reserved.",
        "(c) The Authors. Published by SPIE under a Creative Commons Attribution 4.0 License.",
        "Copyright 2013 ACM.",
        "Copyright © 2020, The Author(s).",
        "Copyright is held by the owner/author(s).",
        "Copyright:",
        "Crown Copyright 2011 Published by Elsevier Ltd.",
        "Published by Elsevier Ltd.",
        "Published by Oxford University Press on behalf of the Society of Ice",
        "2016 curran_conference . All rights reserved .",
        "All rights reserved.",
        "© 2021 The Authors. This is an open access article under the CC BY license.",
        "(PsycINFO Database Record (c) 2017 APA, all rights reserved)",
    ],
)
def test_a_notice_at_the_end_is_cut(notice):
    assert without_notice(f"{BODY} {notice}") == BODY


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("They ask who owns it. Copyright law could tax machines.", "copyright is the subject"),
        ("They ask. Copyright, patents and trade marks differ.", "and here"),
        ("We use the tool Pulse©, which is free. It works.", "a mark of a product"),
        ("Three kinds: (A) ice. (B) snow. (C) the authors walk on both.", "an item of a list"),
        ("Published by Stokes in 1997, the model still holds.", "a sentence about a work"),
        ("The novel was found. Published by a friend, it sold well.", "and another"),
        (f"© 2019 Press. {BODY} And we go on and on to say what we have found.", "the abstract follows it"),
        ("© 2019", "nothing else would be left"),
    ],
)
def test_what_only_looks_like_a_notice_stays(text, reason):
    assert without_notice(text) == text, reason


@pytest.mark.parametrize(
    "answer",
    [
        "Keywords: ice, walking",
        "Key words : ice; walking; legs.",
        "KEYWORDS: ICE",
        "Keywords: [ice, walking]",
        "Index Terms—ice, walking",
        "Keywords and phrases: ice",
        "JEL Codes: P11, P21.",
        "Keywords:",
        "iv Keywords : ice, snow",
    ],
)
def test_a_list_of_keywords_gives_the_answer_away(answer):
    assert without_keyword_list(f"{BODY} {answer}").removesuffix(" iv") == BODY


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("We searched for three keywords: ice, snow and legs.", "a sentence about keywords"),
        ("We study keyword-based search and keyword spotting.", "keywords are the subject"),
        ("Keywords: ice, snow. We then walked on the ice for two days and fell.", "the abstract goes on"),
        ("Keywords matter. They are short.", "no list"),
    ],
)
def test_a_sentence_with_keywords_stays(text, reason):
    assert without_keyword_list(text) == text, reason


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Abstract: We walk.", "We walk."),
        ("ABSTRACT. We walk.", "We walk."),
        ("Abstract— We walk.", "We walk."),
        ("Abstract Background: We walk.", "Background: We walk."),
        ("[ENGLISH ABSTRACT] We walk.", "We walk."),
        ("Abstract interpretation is sound.", "Abstract interpretation is sound."),
        ("Abstract State Machines are defined.", "Abstract State Machines are defined."),
        ("Abstract-syntax trees grow.", "Abstract-syntax trees grow."),
        ("Background: We walk.", "Background: We walk."),
        ("Abstract:", "Abstract:"),
    ],
)
def test_the_heading_goes_and_a_first_word_stays(text, expected):
    assert without_heading(text) == expected
