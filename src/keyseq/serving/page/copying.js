// What leaves the page: the clipboard, a shared link, paper.

import { element, say } from "./elements.js";

export async function copy(content, what) {
  try {
    await navigator.clipboard.writeText(content);
  } catch {
    copyTheOldWay(content); // without https, browsers keep the clipboard back
  }
  say(`Copied ${what}.`);
}

function copyTheOldWay(content) {
  const area = element("textarea", { class: "offscreen", "aria-label": "Copied" });
  area.value = content;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

// Where the system has a way to share, it is offered beside copying.
export function connectSharing(buttons, address) {
  buttons.copy.addEventListener("click", () => copy(address(), "the link"));
  buttons.print.addEventListener("click", () => print());
  buttons.share.hidden = !navigator.share;
  buttons.share.addEventListener("click", () => navigator.share({ title: document.title, url: address() }).catch(() => {}));
}
