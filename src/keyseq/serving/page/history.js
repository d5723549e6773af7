// The texts of this browser, if its user wants them remembered. They stay in localStorage; off unless switched on.

import { byId, element, say } from "./elements.js";

const KEY = "keyseq-history";
const MOST = 20; // texts
const LONGEST = 50_000; // characters of one

let draft = null; // the time of the text that is being edited: an edited text is one entry, not many

export function remember(text) {
  if (!text.trim() || text.length > LONGEST || load() === null) return;
  const now = Date.now();
  const others = load().filter((entry) => entry.text !== text && entry.time !== draft);
  draft = now;
  store([{ time: now, text }, ...others].slice(0, MOST));
}

// The next text is another one.
export function turnPage() {
  draft = null;
}

// null if nothing is to be remembered
function load() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(found) ? found.filter(({ time, text }) => typeof text === "string" && Number.isFinite(time)) : null;
  } catch {
    return null; // storage is blocked, or holds something else
  }
}

function store(entries) {
  try {
    if (entries === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(entries));
  } catch {
    say("This browser does not let the page remember anything.");
  }
  showHistory();
}

function showHistory() {
  const entries = load();
  byId("keep-history").checked = entries !== null;
  byId("clear-history").hidden = !entries?.length;
  byId("history-list").replaceChildren(...(entries ?? []).map(({ time, text }) => {
    const button = element("button", { type: "button", "data-time": String(time) }, text.trim().split("\n")[0].slice(0, 120));
    return element("li", {}, button, element("time", { datetime: new Date(time).toISOString() }, new Date(time).toLocaleString([], { dateStyle: "short", timeStyle: "short" })));
  }));
}

export function connectHistory(current, open) {
  byId("keep-history").addEventListener("change", ({ target }) => {
    store(target.checked ? [] : null);
    remember(current());
  });
  byId("clear-history").addEventListener("click", () => {
    store([]);
    byId("keep-history").focus();
    say("The history is empty.");
  });
  byId("history-list").addEventListener("click", ({ target }) => {
    const entry = load()?.find(({ time }) => String(time) === target.dataset.time);
    if (entry) open(entry.text);
  });
  addEventListener("storage", ({ key }) => key === KEY && showHistory()); // another tab
  showHistory();
}
