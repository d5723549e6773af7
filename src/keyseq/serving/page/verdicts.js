// A tick and a cross beside each phrase of the system that learns: what a user says of a phrase is sent once.

import { byId, element, say } from "./elements.js";
import { feedback } from "./server.js";

const VERDICTS = { accepted: ["✓", "right"], rejected: ["✗", "wrong"] };
const given = new Map(); // by text and phrase
let learning = null;
let failed = () => {};

// `name` is the system that learns, or null; `onError` shows that something was not stored.
export function connectVerdicts(name, onError) {
  learning = name;
  failed = onError;
}

// Rows are in the order of their groups: phrases of the text first.
export function addVerdicts(lists, text) {
  byId("verdict-note").hidden = !lists.some(({ system, keyphrases }) => system === learning && keyphrases.length);
  lists.forEach(({ system, keyphrases }, number) => {
    if (system !== learning) return;
    const phrases = [true, false].flatMap((present) => keyphrases.filter((phrase) => phrase.present === present));
    document.querySelectorAll(`.list-${number} section li:has(> .row)`).forEach((place, index) => {
      place.classList.add("judged");
      place.querySelector(".row").after(buttons(phrases[index].text, text));
    });
  });
}

function buttons(phrase, text) {
  const key = JSON.stringify([text, phrase]);
  const group = element("span", { class: "verdicts", role: "group", "aria-label": `Is “${phrase}” right?` });
  const show = () => {
    for (const button of group.children) button.setAttribute("aria-pressed", String(given.get(key) === button.dataset.verdict));
  };
  for (const [verdict, [sign, meaning]] of Object.entries(VERDICTS)) {
    group.append(element("button", {
      type: "button",
      class: `quiet ${verdict}`,
      "data-verdict": verdict,
      "aria-label": `${meaning}: ${phrase}`,
      onclick: () => send(verdict, phrase, text, key).then(show),
    }, sign));
  }
  show();
  return group;
}

async function send(verdict, phrase, text, key) {
  const before = given.get(key);
  if (before === verdict) return;
  given.set(key, verdict); // at once, so that a second click sends nothing
  try {
    await feedback({ text, [verdict]: [phrase] });
    say(`Taken: “${phrase}” is ${VERDICTS[verdict][1]}.`);
  } catch (error) {
    if (before) given.set(key, before);
    else given.delete(key);
    failed(error);
  }
}
