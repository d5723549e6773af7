// The page: a text on one side, its keyphrases on the other.

import { connectSharing, copy } from "./copying.js";
import { byId, say, showProblem } from "./elements.js";
import { COPIES } from "./formats.js";
import { connectHistory, remember, turnPage } from "./history.js";
import { closeLibrary, connectLibrary, showLibrary } from "./library.js";
import { fromLink } from "./link.js";
import { connectReading, offerReading, reading } from "./reading.js";
import { showLists, showMarks } from "./results.js";
import { documents, keepToken, keyphrases, systems } from "./server.js";
import { fillChoices, link, options, settings, showMore, showSettings, showValues } from "./settings.js";
import { moved, toUnits, wellFormed } from "./spans.js";
import { addVerdicts, connectVerdicts } from "./verdicts.js";

const PAUSE = 350; // milliseconds without a key: that is when somebody has stopped typing
const EXAMPLE =
  "Learning when to stop: how delivery robots share narrow sidewalks\n\n" +
  "Delivery robots move among pedestrians who did not ask for their company. We study how such robots should behave " +
  "where a sidewalk is too narrow for both. From 2,400 encounters filmed in three cities we learn a model of social " +
  "navigation that predicts when pedestrians expect a robot to stop, to yield or to go on. The model is trained by " +
  "inverse reinforcement learning and runs on the robot's own processor. In a field trial with forty delivery robots " +
  "it halves the number of encounters in which a pedestrian has to step aside, and people trust the robots more than " +
  "those that keep a fixed distance.";

const state = { lists: [], marks: [], text: "", limits: null, scores: new Map(), running: null, timer: 0, file: null };
const text = byId("text");

// settings

function settingsChanged() {
  showValues();
  history.replaceState(null, "", link());
  schedule(120);
}

// the text and its keyphrases

function schedule(milliseconds = PAUSE) {
  clearTimeout(state.timer);
  state.timer = setTimeout(run, milliseconds);
}

function textChanged() {
  const now = wellFormed(text.value);
  state.marks = moved(state.marks, state.text, now);
  state.text = now;
  showMarks(now, state.marks);
  byId("count").textContent = now ? `${now.length.toLocaleString("en")} characters.` : "";
  byId("clear").disabled = !now;
  schedule();
}

function setText(value) {
  turnPage();
  text.value = value;
  textChanged();
  schedule(0);
}

async function run() {
  state.running?.abort();
  const control = (state.running = new AbortController());
  if (!state.text.trim()) return show([], "");
  if (tooLong()) return show([], "");
  document.body.classList.add("busy");
  const { system, compare } = settings();
  const chosen = compare && compare !== system ? [system, compare] : [system];
  const asked = state.text;
  try {
    const answers = await Promise.all(chosen.map((name) => keyphrases({ text: asked, explain: true, ...options(name) }, control.signal)));
    if (control.signal.aborted) return;
    show(answers.map(({ system: name, documents: [found] }) => ({ system: name, chosen: found.system, language: found.language, sure: found.language_confidence, note: found.note, keyphrases: found.keyphrases })), asked);
    showProblem(byId("problem"), "");
    remember(asked);
  } catch (error) {
    if (error.name !== "AbortError") show([], ""); // those of another text would be taken for this one's
    fail(error);
  } finally {
    if (state.running === control) document.body.classList.remove("busy");
  }
}

function tooLong() {
  const most = state.limits?.text;
  const long = most && state.text.length > most && [...state.text].length > most;
  if (long) fail(new Error(`This text is longer than the ${most.toLocaleString("en")} characters that this server reads. Try a part of it.`));
  return long;
}

function show(lists, asked) {
  const units = toUnits(asked);
  state.lists = lists.map(({ system, chosen, language, sure, note, keyphrases: found }, list) => ({
    system,
    chosen,
    language,
    sure,
    note,
    keyphrases: found.map((phrase, index) => ({
      ...phrase,
      marks: phrase.spans.map(([start, end]) => ({ start: units(start), end: units(end), list, phrase: index })),
    })),
  }));
  const marks = state.lists.flatMap(({ keyphrases: found }) => found.flatMap((phrase) => phrase.marks));
  state.marks = moved(marks, asked, state.text);
  showMarks(state.text, state.marks);
  showLists(state.lists, state.scores);
  addVerdicts(state.lists, asked);
  say(summary());
}

function summary() {
  return state.lists
    .map(({ system, chosen, keyphrases: found }) => {
      const present = found.filter((phrase) => phrase.present).length;
      const counted = found.length === 1 ? "1 keyphrase" : `${found.length} keyphrases`;
      return `${system}${chosen ? ` (${chosen})` : ""}: ${counted}, ${present} in the text.`;
    })
    .join(" ");
}

function fail(error) {
  if (error.name === "AbortError") return;
  if (error.status === 401) {
    byId("token-panel").hidden = false;
    byId("token").focus();
  }
  showProblem(byId("problem"), error.message, error.status === 0 || error.status === 503 ? begin : null);
  document.body.classList.remove("busy");
}

// files

async function openFile(file) {
  if (!file) return;
  const most = state.limits?.upload;
  if (most && file.size > most) return fail(new Error(`${file.name} is larger than the ${Math.round(most / 2 ** 20)} MiB that this server reads.`));
  say(`Reading ${file.name}.`);
  document.body.classList.add("busy");
  state.file = file;
  byId("read-again").disabled = false;
  try {
    const read = await documents(file, reading());
    showProblem(byId("problem"), "");
    if (read.documents.length === 1) openDocument(read.documents[0]);
    else await showLibrary(read, file, options(settings().system), openDocument);
  } catch (error) {
    closeLibrary();
    say("");
    fail(error);
    offerReading(error.message);
    byId("problem").scrollIntoView({ block: "nearest" }); // on a phone it is below the text
  } finally {
    document.body.classList.remove("busy");
  }
}

function openDocument({ title, text: body }) {
  closeLibrary();
  openText([title, body].filter(Boolean).join("\n\n"));
}

function openText(value) {
  setText(value);
  text.setSelectionRange(0, 0);
  text.focus();
  text.closest(".paper").scrollTop = 0; // a long text is read from its beginning
}

function watchDrops() {
  const holdsFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  addEventListener("dragover", (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    byId("drop").hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) byId("drop").hidden = true;
  });
  addEventListener("drop", (event) => {
    byId("drop").hidden = true;
    if (!holdsFile(event)) return;
    event.preventDefault();
    openFile(event.dataTransfer.files[0]);
  });
}

function copyKeyphrases(format) {
  const { name, write } = COPIES[format];
  copy(write(state.lists), `the keyphrases as ${name}`);
}

// the beginning

async function begin() {
  try {
    const served = await systems();
    state.limits = served.limits;
    state.scores = new Map(served.systems.map(({ name, scores }) => [name, scores]));
    connectVerdicts(served.learns, fail);
    byId("kept").textContent = served.learns ? "kept only if you judge its keyphrases" : "not kept";
    byId("version").textContent = served.version;
    byId("token-panel").hidden = true;
    fillChoices(served);
    connectLibrary();
    showSettings({ system: served.systems.find((one) => one.default).name, compare: "", ...given(fromLink(location.hash)) });
    showProblem(byId("problem"), "");
    schedule(0);
  } catch (error) {
    fail(error);
  }
}

function given(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function connect() {
  text.addEventListener("input", textChanged);
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) schedule(0);
  });
  byId("settings").addEventListener("input", settingsChanged);
  byId("settings").addEventListener("submit", (event) => event.preventDefault());
  byId("example").addEventListener("click", () => setText(EXAMPLE));
  byId("clear").addEventListener("click", () => {
    setText("");
    text.focus();
  });
  byId("open").addEventListener("click", () => byId("file").click());
  byId("file").addEventListener("change", ({ target }) => {
    openFile(target.files[0]).finally(() => (target.value = ""));
  });
  byId("more-button").addEventListener("click", () => showMore(byId("more").hidden));
  connectSharing({ copy: byId("copy-link"), share: byId("share"), print: byId("print") }, () => location.origin + location.pathname + link());
  connectReading(() => openFile(state.file));
  connectHistory(() => state.text, openText);
  byId("copies").addEventListener("click", ({ target }) => target.dataset.copy && copyKeyphrases(target.dataset.copy));
  byId("close-library").addEventListener("click", closeLibrary);
  byId("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    keepToken(byId("token").value.trim());
    begin();
  });
  addEventListener("hashchange", () => {
    showSettings({ ...settings(), ...given(fromLink(location.hash)) });
    schedule(0);
  });
  watchDrops();
}

connect();
textChanged();
begin();
