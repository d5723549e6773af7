// The lists of keyphrases, and the marks of the present ones in the text.

import { byId, element } from "./elements.js";
import { languageName } from "./settings.js";
import { pieces } from "./spans.js";
import { why } from "./why.js";

// Lists are {system, keyphrases}; each phrase has the marks of its places.
export function showLists(lists, scores) {
  byId("lists").classList.toggle("two", lists.length > 1);
  byId("lists").replaceChildren(...lists.map((list, number) => listed(list, number, lists.length > 1)));
  const none = lists.length > 0 && lists.every(({ keyphrases }) => keyphrases.length === 0);
  byId("empty").hidden = lists.length > 0 && !none;
  byId("empty").textContent = none
    ? nothing()
    : "They will be listed here, the most important first.";
  byId("copies").hidden = lists.length === 0 || none;
  showScores(lists, scores);
  showLanguage(lists);
}

// The language in which a text was read, unless it is English, how sure that is, and what there is to say of it.
function showLanguage(lists) {
  const told = lists.filter(({ language, note }) => note || (language && language !== "en")).map(({ language, sure, note }) => [
    language ? `Language: ${languageName(language)}${percent(sure)}.` : "",
    note ? `${note[0].toUpperCase()}${note.slice(1)}.` : "",
  ].filter(Boolean).join(" "));
  byId("read-in").hidden = told.length === 0;
  byId("read-in").textContent = [...new Set(told)].join(" ");
}

function percent(sure) {
  return sure === undefined || sure === null ? "" : ` (${Math.floor(100 * sure)} % sure)`;
}

// What the numbers mean, which differs between systems.
function showScores(lists, scores) {
  const told = lists.filter(({ keyphrases }) => keyphrases.length).map(({ system }) => [system, scores.get(system)]);
  const meanings = [...new Set(told.map(([, meaning]) => meaning))].filter(Boolean);
  byId("scores").hidden = meanings.length === 0;
  byId("scores").textContent = meanings.length === 1
    ? `Score: ${meanings[0]}.`
    : told.map(([system, meaning]) => `Score of ${system}: ${meaning}.`).join(" ");
}

// Two decimals; what is above zero does not look like zero.
function shown(score) {
  return score > 0 && score < 0.005 ? "<0.01" : score.toFixed(2);
}

function nothing() {
  if (byId("vocabulary").value) return "No term of the vocabulary fits this text.";
  return "No keyphrases were found. A longer text has more to find.";
}

function listed({ system, keyphrases }, number, named) {
  const best = Math.max(...keyphrases.map(({ score }) => score)) || 1;
  const rows = keyphrases.map((phrase, index) => ({ ...phrase, index, share: phrase.score / best }));
  const column = element("div", { class: `list list-${number}` });
  if (named) column.append(element("h3", { id: `system-${number}` }, system));
  const groups = [
    ["In the text", rows.filter(({ present }) => present), "present"],
    ["Suggested topics that the text does not name", rows.filter(({ present }) => !present), "absent"],
  ];
  for (const [title, phrases, kind] of groups) {
    if (phrases.length) column.append(group(title, phrases, kind, number, named ? "h4" : "h3"));
  }
  return column;
}

function group(title, phrases, kind, number, heading) {
  const id = `${kind}-${number}`;
  const names = heading === "h4" ? `${id} system-${number}` : id;
  return element("section", { class: kind, "aria-labelledby": names },
    element(heading, { id, class: "kind" }, title),
    element("ol", { role: "list" }, ...phrases.map((phrase) => item(phrase, number))));
}

function item(phrase, number) {
  const { text, score, share, index, present, marks, evidence } = phrase;
  const bar = element("span", { class: "bar", "aria-hidden": "true" }, element("span", {}));
  bar.firstChild.style.width = `${Math.max(2, 100 * share)}%`;
  const value = element("span", { class: "score", "aria-label": `score ${shown(score)}` }, shown(score));
  const times = marks.length > 1 ? element("span", { class: "times", "aria-label": `${marks.length} times` }, `×${marks.length}`) : "";
  const label = element("span", { class: "phrase" }, text, " ", times, phrase.new ? element("span", { class: "new" }, "new") : "");
  const key = `${number}-${index}`;
  const explained = evidence ? why(phrase, `why-${key}`) : [];
  const place = { class: explained.length ? "explained" : "" };
  if (!present) return element("li", place, element("div", { class: "row" }, label, bar, value), ...explained);
  const row = element("button", { type: "button", class: "row", title: "Show it in the text", "data-phrase": key }, label, bar, value);
  for (const [event, on] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]]) {
    row.addEventListener(event, () => emphasise(key, on));
  }
  row.addEventListener("click", () => visit(key));
  return element("li", place, row, ...explained);
}

export function showMarks(text, marks) {
  const all = pieces(text, marks);
  const shown = all.map((piece, index) => (piece.marks.length ? marked(piece, all[index - 1], all[index + 1]) : piece.text));
  byId("marks").replaceChildren(...shown, "\n");
}

// Corners are round where no other mark goes on; what is part of several phrases of a list is darker.
function marked({ text, marks }, before, after) {
  const lists = [...new Set(marks.map(({ list }) => list))];
  const kinds = lists.map((list) => `in-${list}`);
  if (marks.length > lists.length) kinds.push("deep");
  if (!before?.marks.length) kinds.push("first");
  if (!after?.marks.length) kinds.push("last");
  const mark = element("mark", { class: kinds.join(" ") }, text);
  mark.phrases = marks.map(({ list, phrase }) => `${list}-${phrase}`);
  return mark;
}

function marksOf(key) {
  return [...byId("marks").querySelectorAll("mark")].filter(({ phrases }) => phrases.includes(key));
}

function emphasise(key, on) {
  for (const mark of marksOf(key)) mark.classList.toggle("strong", on);
}

// Each click goes to the next place of the phrase.
function visit(key) {
  const places = marksOf(key);
  if (!places.length) return;
  const next = (places.findIndex((mark) => mark.classList.contains("visited")) + 1) % places.length;
  for (const mark of byId("marks").querySelectorAll(".visited")) mark.classList.remove("visited");
  places[next].classList.add("visited");
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  places[next].scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
}
