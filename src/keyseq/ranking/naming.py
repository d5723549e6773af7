"""From candidates to phrases: the words under which each is shown, its places in the text, and its evidence."""

import html
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from keyseq.extractive.reading import ADJECTIVE, CHARACTER, GERUND, NOUN
from keyseq.ranking.pool import Pool
from keyseq.ranking.runs import Integers
from keyseq.text.hashing import Hashes
from keyseq.text.presence import phrase_stems
from keyseq.text.tokenize import DIGIT
from keyseq.types import Evidence, Phrase

MOST_TERMS = 4  # maximum words of the text shown as evidence for a label
LONGEST_PHRASE = 100  # characters
_NAMING_CLASSES = [ord(letter) for letter in (NOUN, ADJECTIVE, GERUND, CHARACTER)]  # of a phrase's last word
_MARKUP = re.compile(r"[<>{}\\|=^~$_\[\]]|&[a-zA-Z]{2,}|https?:|www\.|@")


class Naming:
    """Names the candidates of one document, with their evidence unless they are only to be compared."""

    def __init__(self, pool: Pool, labels: Sequence[str], *, explained: bool = True) -> None:
        self.pool, self.labels, self.source, self.explained = pool, labels, pool.reading.source, explained
        # where no tagger knows a base form, keyphrases are shown as people gave them rather than inflected as in a text
        self._as_given = self.source.analyzer.tagger is None

    def phrase(self, number: int, score: float) -> Phrase | None:
        """A candidate as a phrase; None where its words are nothing to show, such as markup or numbers alone."""
        text, stemmed = self._text(number)
        spans = self._spans(text, stemmed)
        if not _is_presentable(text) or self._is_of_stop_words(text) or self._is_cut(number, text):
            return None
        evidence = self.evidence(number) if self.explained else None
        if evidence is not None and self.pool.whole is not None and spans:  # what was read is a digest
            evidence = replace(evidence, sources=_with_text(evidence.sources), occurrences=len(spans))
        return Phrase(text=text, score=score, present=bool(spans), spans=spans, evidence=evidence)

    def _spans(self, text: str, stemmed: list[str]) -> tuple[tuple[int, int], ...]:
        """Where the text has a phrase; an acronym such as "IT" not where it has the stop word "it"."""
        found, analyzer = self.pool.spans(stemmed), self.source.analyzer
        if not text.isupper() or analyzer.lower(text) not in analyzer.stop_words:
            return found
        whole = (self.pool.whole or self.source).text
        return tuple((start, end) for start, end in found if whole[start:end].isupper())

    def _is_of_stop_words(self, text: str) -> bool:
        """Whether a phrase consists of stop words; an acronym such as "IT" is not one."""
        if text.isupper() and " " not in text:
            return False
        stop_words, lower = self.source.analyzer.stop_words, self.source.analyzer.lower
        tokens = (lower(token.text) for token in self.source.analyzer.tokenize(text))
        return lower(text) in stop_words or all(one in stop_words or not any(map(str.isalnum, one)) for one in tokens)

    def _is_cut(self, number: int, text: str) -> bool:
        """Whether a phrase that the network alone knows begins or ends with a stop word or a mark: "internet of"."""
        pool, generated = self.pool, int(self.pool.generated_as[number])
        if generated < 0 or pool.run[number] >= 0 or pool.label[number] >= 0 or pool.accepted[number]:
            return False
        words, stop_words = pool.generated[generated].words, self.source.analyzer.stop_words
        is_acronym = text.isupper() and len(words) == 1
        return not is_acronym and any(one in stop_words or not one[:1].isalnum() for one in (words[0], words[-1]))

    def _text(self, number: int) -> tuple[str, list[str]]:
        """How a candidate is written, and its stems: as the text has it, as its label is, or as it was generated."""
        run, label, generated = self.pool.run[number], self.pool.label[number], self.pool.generated_as[number]
        if run >= 0 and not (self._as_given and label >= 0):
            runs, length = self.pool.runs, int(self.pool.runs.lengths[run])
            first = int(runs.first[run])
            places = runs.places[runs.offsets[run] : runs.offsets[run + 1]]
            names = places[np.isin(self.pool.tokens.classes[places + length - 1], _NAMING_CLASSES)]
            form = self._surface((names if len(names) else places).tolist(), length)
            shown = self.labels[label] if label >= 0 and self._is_label_better(label, names, form) else form
            return shown, list(self.source.stems[first : first + length])
        if label >= 0:
            text = self.labels[label]
            return text, phrase_stems(text, self.source.analyzer)
        text = self.pool.unlabelled(number)
        if generated < 0:
            return text, phrase_stems(text, self.source.analyzer)
        return text, self.source.analyzer.stems(self.pool.generated[generated].words)

    def _surface(self, places: list[int], length: int) -> str:
        """The most frequent form here; of several, that with the fewest capitals, as these may be a title's."""
        tokens, text = self.source.tokens, self.source.text
        forms = Counter(
            " ".join(text[tokens[place].start : tokens[place + length - 1].end].split()) for place in places
        )
        return html.unescape(min(forms, key=lambda form: (-forms[form], sum(map(str.isupper, form)))))

    def _is_label_better(self, label: int, names: Integers, form: str) -> bool:
        """Whether the text has a label only as a verb, without a place as a name, or only in its title's capitals."""
        if not len(names):
            return True
        return bool(names[-1] < self.pool.tokens.title) and self.labels[label].lower() == form.lower()

    def evidence(self, number: int) -> Evidence:
        """The sources of a candidate, and the evidence for it."""
        pool = self.pool
        run, label, generated = int(pool.run[number]), int(pool.label[number]), int(pool.generated_as[number])
        given, contained = (int(counts[number]) for counts in pool.counted)
        rank = int(pool.profile_ranks[number])
        retrieved = rank < pool.known.most or (run < 0 and bool(pool.profile_scores[number] > 0))
        by_users = bool(pool.accepted[number])
        found = {"text": run >= 0, "network": generated >= 0, "profiles": retrieved, "feedback": by_users}
        return Evidence(
            sources=tuple(source for source, is_one in found.items() if is_one),
            occurrences=int(pool.runs.counts[run]) if run >= 0 else 0,
            in_title=run >= 0 and int(pool.runs.first[run]) < pool.tokens.title,
            keyphrase_of=given,
            contained_in=contained,
            share=pool.generated[generated].share if generated >= 0 else None,
            rank=rank + 1 if rank < pool.known.most else None,
            terms=self._terms(label) if retrieved else (),
        )

    def _terms(self, label: int) -> tuple[str, ...]:
        """The words of the text that are the strongest evidence for a label."""
        hashes = self.pool.speaking(label)[:MOST_TERMS]
        return tuple(dict.fromkeys(name for name in map(self._word, hashes) if name))

    def _word(self, key: np.uint32) -> str:
        """The words of the text that have this number, alone or with the next."""
        for length, runs in enumerate(self._runs, start=1):
            places = np.flatnonzero(runs == key)
            if len(places):
                tokens = self.source.tokens[places[0] : places[0] + length]
                return " ".join(token.text for token in tokens)
        return ""

    @cached_property
    def _runs(self) -> tuple[Hashes, Hashes]:
        """The numbers of all words of the text, and of all pairs."""
        return self.pool.tokens.runs(1), self.pool.tokens.runs(2)


def _with_text(sources: tuple[str, ...]) -> tuple[str, ...]:
    return sources if "text" in sources else ("text", *sources)


def _is_presentable(text: str) -> bool:
    """Whether a phrase is fit to be shown: words rather than numbers, marks or markup, and none of them twice."""
    letters, words = sum(map(str.isalpha, text)), text.lower().split()
    return (
        letters >= 1
        and len(text) >= 2
        and 2 * letters >= len(text) - text.count(" ")
        and len(text) <= LONGEST_PHRASE
        and len(words) == len(set(words))
        and not (_MARKUP.search(text) or DIGIT in text)
    )
