"""The three conventions written down a second time, slowly and plainly, for the fast evaluator to agree with.

Each function follows one released evaluator step by step and shares nothing with keyseq but NLTK's stemmer.
"""

import re
from functools import cache

from nltk.stem.porter import PorterStemmer

_stem = cache(PorterStemmer().stem)


def tokens(text):
    text = re.sub(r"[\r\n\t]", " ", text)
    text = re.sub(r"[_<>,\(\)\.\'%]", r" \g<0> ", text.replace("<digit>", " 00 "))
    found = [word for word in re.split(r"[^a-zA-Z0-9_<>,#&\+\*\(\)\.\']", text) if word]
    return ["<digit>" if re.fullmatch(r"\d{2,}", word) else word.lower() for word in found]


def stemmed(words):
    return [_stem(word) for word in words]


def gold_tokens(phrase):
    return tokens(re.sub(r"\(.*?\)|\[.*?\]|\{.*?\}", "", phrase))


def occurs(phrase, source):
    return any(source[at : at + len(phrase)] == phrase for at in range(len(source) - len(phrase) + 1))


def cutoff(k, predictions, targets):
    return {"o": len(targets), "m": len(predictions)}.get(k, k)


def precision_recall_f1(correct, denominator, targets):
    precision = correct / denominator if denominator else 0.0
    recall = correct / targets if targets else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return precision, recall, f1


def mean(values):
    return sum(values) / len(values) if values else float("nan")


def yuan(pairs, part, k):
    """P, R, F1: precision over min(k, predictions), mean over the documents that have targets of the part."""
    scores = []
    for document, predictions in pairs:
        source = stemmed(tokens(" . ".join(filter(None, [document.title, document.body]))))
        targets = [stemmed(gold_tokens(phrase)) for phrase in document.keyphrases]
        kept, seen = [], []
        for phrase in predictions:
            words = tokens(phrase)
            valid = bool(words) and "<unk>" not in phrase and "." not in words and "," not in words
            stems = stemmed(words)
            if valid and stems not in seen:
                kept.append(stems)
            seen.append(stems)
        if part != "all":
            wanted = part == "present"
            targets = [phrase for phrase in targets if occurs(phrase, source) == wanted]
            kept = [phrase for phrase in kept if occurs(phrase, source) == wanted]
        if not targets:
            continue
        kept = kept[: cutoff(k, kept, targets)]
        correct = sum(phrase in targets for phrase in kept)
        scores.append(precision_recall_f1(correct, len(kept), len(targets)))
    return tuple(mean([score[place] for score in scores]) for place in range(3))


def meng(pairs, part, k):
    """P, R, F1: precision over k, only the first one-word prediction, mean over all documents."""
    scores = []
    for document, predictions in pairs:
        source = stemmed(tokens(" . ".join(filter(None, [document.title, document.body]))))
        targets = [stemmed(gold_tokens(phrase)) for phrase in document.keyphrases]
        kept, one_word_left = [], 1
        for phrase in predictions:
            stems = stemmed(tokens(phrase))
            keep = len(stems) > 0 and "<unk>" not in phrase
            keep = keep and not any(re.match(r"[_,\(\)\.\'%]", word) for word in stems)
            if len(stems) <= 1:
                keep = keep and one_word_left > 0
                one_word_left -= 1
            if keep and stems not in kept:
                kept.append(stems)
        if part != "all":
            wanted = part == "present"
            targets = [phrase for phrase in targets if occurs(phrase, source) == wanted]
            kept = [phrase for phrase in kept if occurs(phrase, source) == wanted]
        at = cutoff(k, kept, targets)
        correct = sum(phrase in targets for phrase in kept[:at])
        scores.append(precision_recall_f1(correct, at, len(targets)))
    return tuple(mean([score[place] for score in scores]) for place in range(3))


def chan(pairs, part, k):
    """P, R, F1: precision over k, targets without duplicates, F1 the harmonic mean of P and R over all documents."""
    precisions, recalls = [], []
    for document, predictions in pairs:
        source = stemmed(tokens(f"{document.title} {document.body}"))
        targets, kept, seen = [], [], []
        for phrase in document.keyphrases:
            stems = stemmed(gold_tokens(phrase))
            if stems not in targets:
                targets.append(stems)
        for phrase in predictions:
            words = tokens(phrase)
            stems = stemmed(words)
            if words and "<unk>" not in phrase and "." not in words and "," not in words and stems not in seen:
                kept.append(stems)
            seen.append(stems)
        if part != "all":
            wanted = part == "present"
            targets = [phrase for phrase in targets if (phrase != [] and occurs(phrase, source)) == wanted]
            kept = [phrase for phrase in kept if occurs(phrase, source) == wanted]
        at = cutoff(k, kept, targets)
        correct = sum(phrase in targets for phrase in kept[:at])
        precision, recall, _ = precision_recall_f1(correct, at, len(targets))
        precisions.append(precision)
        recalls.append(recall)
    precision, recall = mean(precisions), mean(recalls)
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


CONVENTIONS = {"yuan2020": yuan, "meng2017": meng, "chan2019": chan}
