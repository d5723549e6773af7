// The server's own OpenAPI description as a list of endpoints, each with a command to try it.

import { byId, element } from "./elements.js";

const EXAMPLES = {
  "/v1/keyphrases": `--json '{"text": "Delivery robots share narrow sidewalks with pedestrians.", "top": 5}'`,
  "/v1/keyphrases/stream": "-H 'Content-Type: application/x-ndjson' -T corpus.jsonl -X POST",
  "/v1/documents": "--data-binary @library.bib",
  "/v1/library": `--json '{"name": "library.csv", "content": "dGl0bGUKUm9ib3RzCg==", "keyphrases": [["robots"]]}'`,
  "/v1/feedback": `--json '{"text": "Delivery robots share narrow sidewalks.", "accepted": ["delivery robots"]}'`,
};
const QUERIES = { "/v1/keyphrases/stream": "?top=5", "/v1/documents": "?name=library.bib" };

function section(path, method, operation, schemas) {
  const query = QUERIES[path] ?? "";
  const address = `'${new URL(`.${path}${query}`, location.href)}'`;
  const command = ["curl", address, EXAMPLES[path] ?? ""].join(" ").trim();
  const made = element("section", { "aria-label": `${method} ${path}` },
    element("h2", {}, element("code", {}, `${method.toUpperCase()} ${path}`)),
    element("p", {}, operation.description ?? operation.summary));
  const fields = requestFields(operation, schemas);
  if (fields.length) made.append(table(fields));
  made.append(element("pre", { tabindex: "0", "aria-label": "A command to try it" }, element("code", {}, command)));
  return made;
}

// The parameters of the query, and the fields of a body of any of its kinds.
function requestFields(operation, schemas) {
  const found = new Map((operation.parameters ?? []).map(({ name, schema }) => [name, schema]));
  for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
    for (const { $ref } of schema.oneOf ?? schema.anyOf ?? [schema]) {
      for (const [name, property] of Object.entries(schemas[$ref?.split("/").pop()]?.properties ?? {})) found.set(name, property);
    }
  }
  return [...found].map(([name, property]) => [name, type(property), property.description ?? "The documents: text, title, id."]);
}

function type(property) {
  const kinds = property.anyOf?.map((one) => one.type) ?? [property.type];
  return kinds.filter(Boolean).join(" or ");
}

function table(rows) {
  const head = element("tr", {}, ...["field", "type", "what it is"].map((name) => element("th", { scope: "col" }, name)));
  const body = rows.map(([name, kind, what]) =>
    element("tr", {}, element("td", {}, element("code", {}, name)), element("td", {}, kind), element("td", {}, what)));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

const { paths, components } = await (await fetch("openapi.json")).json();
for (const [path, methods] of Object.entries(paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    byId("endpoints").append(section(path, method, operation, components.schemas));
  }
}
