// How a file is read where it does not show it: the columns of a table, the encoding of a text.

import { byId } from "./elements.js";

const FIELDS = ["title_column", "text_column", "id_column", "encoding"];

// The fields of a request, without those that are left empty.
export function reading() {
  const given = FIELDS.map((name) => [name, byId(name).value.trim()]);
  return Object.fromEntries(given.filter(([, value]) => value));
}

// Shows the fields where an error names one of them.
export function offerReading(message) {
  if (FIELDS.some((name) => message.includes(name))) byId("reading").open = true;
}

export function connectReading(again) {
  byId("reading-form").addEventListener("submit", (event) => {
    event.preventDefault();
    again();
  });
}
