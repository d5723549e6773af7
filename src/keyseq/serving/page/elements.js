// Elements made in code. Text of users only ever becomes text nodes.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

export function byId(id) {
  return document.getElementById(id);
}

// Offers a file for download.
export function save(content, type, name) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function say(message) {
  byId("status").textContent = message;
}

export function showProblem(box, message, retry) {
  box.hidden = !message;
  box.replaceChildren(...(message ? [element("p", {}, message)] : []));
  if (message && retry) box.append(element("button", { type: "button", onclick: retry }, "Try again"));
}
