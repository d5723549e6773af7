// Keyphrases as people take them along: the lists of one or two systems, or the rows of a library.

export const COPIES = {
  text: { name: "text", write: (lists) => lists.map(lines).join("\n\n") },
  json: { name: "JSON", write: (lists) => json(lists.length === 1 ? lists[0].keyphrases.map(plain) : bySystem(lists)) },
  csv: {
    name: "CSV",
    write: (lists) =>
      csv(["system", "rank", "keyphrase", "score", "present"],
        lists.flatMap((list) => phraseRows(list).map((phrase) => [list.system, ...phrase]))),
  },
  bibtex: { name: "a BibTeX line", write: (lists) => `keywords = {${unique(lists).map(bibtex).join(", ")}},` },
};

function lines({ keyphrases }) {
  return keyphrases.map(({ text }) => text).join("\n");
}

function bySystem(lists) {
  return Object.fromEntries(lists.map(({ system, keyphrases }) => [system, keyphrases.map(plain)]));
}

function unique(lists) {
  return [...new Set(lists.flatMap(({ keyphrases }) => keyphrases.map(({ text }) => text)))];
}

export const DOWNLOADS = {
  json: { type: "application/json", write: (rows) => json(rows.map((row) => ({ ...row, keyphrases: row.keyphrases.map(plain) }))) },
  csv: {
    type: "text/csv",
    write: (rows) =>
      csv(["id", "title", "rank", "keyphrase", "score", "present"],
        rows.flatMap((row) => phraseRows(row).map((phrase) => [row.id, row.title, ...phrase]))),
  },
};

function plain({ text, score, present, matched, uri, new: isNew }) {
  const concept = matched || isNew ? { uri, matched, new: isNew } : {};
  return { text, score, present, ...concept };
}

function json(value) {
  return JSON.stringify(value, null, 2) + "\n";
}

function phraseRows({ keyphrases }) {
  return keyphrases.map(({ text, score, present }, index) => [index + 1, text, score, present]);
}

function csv(names, rows) {
  return [names, ...rows].map((row) => row.map(cell).join(",") + "\r\n").join("");
}

function cell(value) {
  // a sheet runs a text cell that begins with one of these as a formula
  const text = typeof value === "string" && /^[=+@\t\r-]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// LaTeX's own characters, and the comma that would cut a keyword in two
function bibtex(text) {
  const escaped = text.replace(/[\\{}]/g, "").replace(/[&%$#_]/g, "\\$&");
  return escaped.includes(",") ? `{${escaped}}` : escaped;
}
