// The settings of a request: what the controls say, what a link says, and what a system is asked.

import { byId, element } from "./elements.js";
import { toLink } from "./link.js";

const known = new Map(); // what each system can be asked for, by its name
const names = new Map(); // of languages, by their codes

export function settings() {
  return {
    system: byId("system").value,
    compare: byId("compare").value,
    decide: byId("decide").checked,
    top: Number(byId("top").value),
    beta: 2 ** Number(byId("beta").value),
    minScore: Number(byId("min-score").value),
    present: byId("present").value,
    decoding: byId("decoding").value,
    language: byId("language").value,
    vocabulary: byId("vocabulary").value,
    alsoNew: byId("also-new").checked,
  };
}

export function languageName(code) {
  return names.get(code) ?? code;
}

export function link() {
  return toLink(settings());
}

// The fields of a request to a system; one that it does not take is left out.
export function options(system) {
  const { decide, top, beta, minScore, present, decoding, language, vocabulary, alsoNew } = settings();
  const asked = {
    top: decide ? null : top,
    beta: decide && beta !== 1 ? beta : null,
    min_score: minScore || null,
    present: present === "" ? null : present === "true",
    decoding: decoding || null,
    language: language || null,
    vocabulary: vocabulary || null,
    also_new: (vocabulary && alsoNew) || null,
  };
  const taken = Object.entries(asked).filter(([name, value]) => value !== null && known.get(system)?.has(name));
  return { system: system || null, ...Object.fromEntries(taken) };
}

export function showSettings({ system, compare, decide, top, beta, minScore, present, decoding, language, vocabulary, alsoNew }) {
  choose(byId("system"), system);
  choose(byId("compare"), compare);
  byId("decide").checked = decide;
  byId("top").value = top;
  byId("beta").value = Math.log2(beta);
  byId("min-score").value = minScore;
  choose(byId("present"), present);
  choose(byId("decoding"), decoding);
  choose(byId("language"), language);
  choose(byId("vocabulary"), vocabulary);
  byId("also-new").checked = alsoNew;
  if (minScore || present || decoding || language) showMore(true);
  showValues();
}

export function showMore(shown) {
  byId("more").hidden = !shown;
  byId("more-button").setAttribute("aria-expanded", String(shown));
}

function choose(select, value) {
  if ([...select.options].some((option) => option.value === value)) select.value = value;
}

export function showValues() {
  const { system, compare, decide, top, minScore, vocabulary } = settings();
  const takes = (setting) => [system, compare].some((name) => known.get(name)?.has(setting));
  byId("top").disabled = decide;
  byId("how-many").hidden = decide;
  byId("top-shown").textContent = top;
  byId("min-score-shown").textContent = minScore.toFixed(2);
  byId("beta").disabled = !decide;
  byId("beta-field").hidden = !decide || !takes("beta");
  for (const name of ["decoding", "language", "vocabulary"]) {
    byId(name).disabled = !takes(name);
    byId(`${name}-field`).classList.toggle("off", !takes(name));
  }
  byId("also-new-field").hidden = !vocabulary || byId("vocabulary").disabled;
}

export function fillChoices({ systems, decodings, languages, vocabularies }) {
  for (const { name, settings: taken } of systems) known.set(name, new Set(taken));
  const choices = () => systems.map(({ name, description }) => element("option", { value: name, title: description }, name));
  byId("system").replaceChildren(...choices());
  byId("compare").replaceChildren(element("option", { value: "" }, "nothing"), ...choices());
  byId("compare").parentElement.hidden = systems.length < 2;
  const named = decodings.map((name) => element("option", { value: name }, name));
  byId("decoding").replaceChildren(element("option", { value: "" }, "as trained"), ...named);
  for (const [code, name] of Object.entries(languages)) names.set(code, name);
  const tongues = Object.entries(languages).map(([code, name]) => element("option", { value: code }, name));
  byId("language").replaceChildren(element("option", { value: "" }, "that of the text"), ...tongues);
  const terms = vocabularies.map(({ name, concepts }) =>
    element("option", { value: name, title: `${concepts.toLocaleString("en")} concepts` }, name));
  byId("vocabulary").replaceChildren(element("option", { value: "" }, "any phrase"), ...terms);
  byId("vocabulary-field").hidden = vocabularies.length === 0;
}
