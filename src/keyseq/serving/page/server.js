// Requests to the server, and its refusals as errors that can be shown.

const TOKEN = "keyseq-token";
const RETRIES = 3;

export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export function keepToken(token) {
  sessionStorage.setItem(TOKEN, token);
}

export function systems() {
  return ask("v1/systems", {});
}

export function keyphrases(request, signal) {
  const headers = { "Content-Type": "application/json" };
  return ask("v1/keyphrases", { method: "POST", headers, body: JSON.stringify(request), signal });
}

// The file with the keyphrases of its documents added.
export async function tagged(file, found, rules) {
  const request = { name: file.name, content: await base64(file), keyphrases: found, ...rules };
  const headers = { "Content-Type": "application/json" };
  return ask("v1/library", { method: "POST", headers, body: JSON.stringify(request) }, (response) => response.blob());
}

function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(new Refused(`${file.name} cannot be read any more.`, 0));
    reader.readAsDataURL(file);
  });
}

// What a user says of phrases; it is stored when the promise is kept.
export function feedback(request) {
  const headers = { "Content-Type": "application/json" };
  return ask("v1/feedback", { method: "POST", headers, body: JSON.stringify(request) });
}

export function documents(file, reading) {
  return ask(`v1/documents?${new URLSearchParams({ name: file.name, ...reading })}`, { method: "POST", body: file });
}

async function ask(path, options, read = (response) => response.json()) {
  const token = sessionStorage.getItem(TOKEN);
  const headers = { ...options.headers, ...(token && { Authorization: `Bearer ${token}` }) };
  for (let attempt = 1; ; attempt++) {
    const response = await answered(path, { ...options, headers });
    if (response.ok) return read(response);
    if (response.status !== 503 || attempt === RETRIES) throw await refusal(response);
    await pause(1000 * (Number(response.headers.get("Retry-After")) || 1), options.signal);
  }
}

async function answered(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The server does not answer. Is it still running?", 0);
  }
}

async function refusal(response) {
  try {
    const { message } = (await response.json()).error;
    return new Refused(`${sentence(message)}.`, response.status);
  } catch {
    return new Refused(`The server answered with status ${response.status}.`, response.status);
  }
}

// A capital at the beginning, unless that is a name, such as that of a file or a field.
function sentence(message) {
  return /^[a-z]+[ ,]/.test(message) ? message[0].toUpperCase() + message.slice(1) : message;
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
