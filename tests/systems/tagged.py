"""Invented documents with tags of their topics, most of which the texts do not contain."""

import random

from keyseq.types import Document

TOPICS = {
    "zoology": ["tiger", "zebra", "lion", "safari", "herd", "predator"],
    "astronomy": ["planet", "comet", "orbit", "galaxy", "telescope", "eclipse"],
    "cooking": ["oven", "flour", "recipe", "butter", "spice", "kettle"],
    "sailing": ["mast", "harbour", "anchor", "rudder", "deck", "regatta"],
}
FILLERS = ["people talk about it", "nobody knows why", "there are many of them", "it was seen again"]


def documents(count=240, seed=5):
    """Each has the tag of its topic, which its text never contains, and a subject that its title names.

    What is near the subject is a keyphrase in one document of three, which nothing foretells.
    """
    draw = random.Random(seed)
    for number in range(count):
        tag = draw.choice(list(TOPICS))
        first, second, third = draw.sample(TOPICS[tag], 3)
        subject = f"{first} {second}"
        before, after = draw.choices(FILLERS, k=2)
        body = f"The {subject} is near the {third}; {before}. A {third} and the {subject}, {after}."
        keyphrases = (subject, tag, third)[: 2 + (draw.random() < 1 / 3)]
        yield Document(id=str(number), title=f"On the {subject}", body=body, keyphrases=keyphrases)
