// Many documents: a list that fills as the answers come, and a download.

import { byId, element, save, say, showProblem } from "./elements.js";
import { DOWNLOADS } from "./formats.js";
import { reading } from "./reading.js";
import { keyphrases, tagged } from "./server.js";

const TABLE = /\.(csv|tsv|tab|xlsx|xlsm|parquet)$/i; // files that get a column, and keep their keywords
const CHUNK = 16; // documents of a request: small enough that the list grows before one's eyes

let rows = [];
let remarks = []; // of the answers, one for each document that has one
let running = null;
let source = null; // the file
let asRead = {}; // how it was read
let notes = []; // what there is to say of the reading

export async function showLibrary({ documents, skipped, notes: told, taggable }, file, options, open) {
  running?.abort();
  const control = (running = new AbortController());
  rows = [];
  remarks = [];
  source = file;
  notes = told;
  asRead = reading();
  byId("download-library").hidden = !taggable;
  byId("existing-field").hidden = !taggable || TABLE.test(file.name);
  showNotes();
  byId("download-library").textContent = `Download ${file.name}`;
  byId("single").hidden = true;
  byId("library").hidden = false;
  byId("library-title").textContent = `${file.name}: ${documents.length.toLocaleString("en")} documents`;
  byId("library-title").focus();
  byId("documents").replaceChildren();
  showSkipped(skipped);
  setDownloads(false);
  await fill(documents, options, control, open);
}

async function fill(documents, options, control, open) {
  const progress = byId("library-progress");
  progress.hidden = false;
  progress.max = documents.length;
  try {
    while (rows.length < documents.length) {
      progress.value = rows.length;
      const chunk = documents.slice(rows.length, rows.length + CHUNK);
      await add(chunk, options, control.signal, open);
    }
    say(`The keyphrases of ${rows.length} documents are there.`);
    showProblem(byId("library-problem"), "");
  } catch (error) {
    if (error.name === "AbortError") return;
    say("");
    showProblem(byId("library-problem"), error.message, () => fill(documents, options, control, open));
  }
  progress.hidden = true;
  setDownloads(rows.length > 0, rows.length === documents.length);
}

async function add(chunk, options, signal, open) {
  const request = { ...options, documents: chunk.map(({ id, title, text }) => ({ id: id.slice(0, 200), title, text })) };
  const answer = await keyphrases(request, signal);
  answer.documents.forEach(({ keyphrases: found }, index) => {
    const source = chunk[index];
    rows.push({ id: source.id, title: source.title, keyphrases: found });
    byId("documents").append(entry(source, found, open));
  });
  remarks.push(...answer.documents.map(({ note }) => note).filter(Boolean));
  showNotes();
}

// What is to be said of the file, and of the languages for which no system is trained.
function showNotes() {
  const counted = [...new Set(remarks)].map((note) => {
    const count = remarks.filter((other) => other === note).length;
    return `${note[0].toUpperCase()}${note.slice(1)} (${count === 1 ? "1 document" : `${count} documents`}).`;
  });
  byId("library-notes").replaceChildren(...[...notes, ...counted].map((one) => element("div", {}, one)));
  byId("library-notes").hidden = notes.length + counted.length === 0;
}

function entry(source, found, open) {
  const heading = source.title || `${source.text.slice(0, 100)}…`;
  const phrases = found.map(({ text, present }) => element("li", { class: present ? "present" : "absent" }, text));
  return element("li", {},
    element("button", { type: "button", class: "title", title: "Open this document", onclick: () => open(source) }, heading),
    element("ul", { role: "list", class: "chips", "aria-label": `Keyphrases of ${heading}` }, ...phrases));
}

function showSkipped(skipped) {
  const details = byId("library-skipped");
  details.hidden = skipped.length === 0;
  details.querySelector("summary").textContent = `${skipped.length.toLocaleString("en")} left out`;
  details.querySelector("ul").replaceChildren(...skipped.slice(0, 100).map((reason) => element("li", {}, reason)));
}

export function closeLibrary() {
  running?.abort();
  byId("library").hidden = true;
  byId("single").hidden = false;
}

function setDownloads(some, all = some) {
  for (const button of document.querySelectorAll("[data-download]")) button.disabled = !some;
  byId("download-library").disabled = !all;
}

function download(kind) {
  const { type, write } = DOWNLOADS[kind];
  save(write(rows), type, `keyphrases.${kind}`);
}

// In its own format, everything else in it unchanged.
async function downloadLibrary() {
  try {
    const found = rows.map(({ keyphrases: phrases }) => phrases.map(({ text }) => text));
    const rules = { ...asRead, existing: byId("existing").value };
    save(await tagged(source, found, rules), "application/octet-stream", source.name);
    say(`${source.name} has the keyphrases of ${rows.length} documents.`);
    showProblem(byId("library-problem"), "");
  } catch (error) {
    showProblem(byId("library-problem"), error.message, downloadLibrary);
  }
}

export function connectLibrary() {
  for (const button of document.querySelectorAll("[data-download]")) button.onclick = () => download(button.dataset.download);
  byId("download-library").onclick = downloadLibrary;
}
