// The settings in the part of the address behind #, so that a link holds them. The text is never part of it.

export function toLink({ system, compare, decide, top, beta, minScore, present, decoding, language, vocabulary, alsoNew }) {
  const fields = new URLSearchParams();
  if (system) fields.set("system", system);
  if (compare) fields.set("compare", compare);
  if (!decide) fields.set("top", top);
  if (beta !== 1) fields.set("beta", beta);
  if (minScore) fields.set("min_score", minScore);
  if (present) fields.set("present", present);
  if (decoding) fields.set("decoding", decoding);
  if (language) fields.set("language", language);
  if (vocabulary) fields.set("vocabulary", vocabulary);
  if (vocabulary && alsoNew) fields.set("also_new", "true");
  return fields.size ? `#${fields}` : "#";
}

export function fromLink(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const top = Number.parseInt(fields.get("top"), 10);
  const decide = !(top >= 1 && top <= 30);
  const beta = Number(fields.get("beta"));
  const score = Number(fields.get("min_score"));
  return {
    system: fields.get("system"),
    compare: fields.get("compare"),
    decide,
    top: decide ? 10 : top,
    beta: beta >= 0.25 && beta <= 4 ? beta : 1,
    minScore: score > 0 && score <= 1 ? score : 0,
    present: fields.get("present") ?? "",
    decoding: fields.get("decoding") ?? "",
    language: fields.get("language") ?? "",
    vocabulary: fields.get("vocabulary") ?? "",
    alsoNew: fields.get("also_new") === "true",
  };
}
