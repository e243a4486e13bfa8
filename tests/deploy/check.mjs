// Reads what deploy/ has and prints it as JSON; fails with the problems on stderr.
//   node check.mjs yaml FILE       the content of a YAML file
//   node check.mjs compose FILE    the same, after a check against the schema of the Compose Specification
//   node check.mjs promql FILE     FILE has a JSON array of queries; prints the names that each of them uses
import { readFileSync } from "node:fs";
import { parser } from "@prometheus-io/lezer-promql";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { parse } from "yaml";

function compose(text) {
  const schema = JSON.parse(readFileSync("node_modules/dclint/schemas/compose.schema.json", "utf8"));
  delete schema.$schema; // https instead of http, so it names no schema
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addFormat("duration", true); // of Compose: 1m30s
  const document = parse(text);
  const validate = ajv.compile(schema);
  if (!validate(document)) throw new Error(ajv.errorsText(validate.errors, { separator: "\n" }));
  return document;
}

function namesOf(query) {
  const text = query.replaceAll("$__rate_interval", "5m");
  const names = new Set();
  parser.parse(text).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`not PromQL at ${node.from}: ${text}`);
      if (node.name === "Identifier") names.add(text.slice(node.from, node.to));
    },
  });
  return [...names];
}

const [, , kind, file] = process.argv;
const text = readFileSync(file, "utf8");
process.chdir(new URL(".", import.meta.url).pathname);
const found = kind === "compose" ? compose(text) : kind === "promql" ? JSON.parse(text).map(namesOf) : parse(text);
console.log(JSON.stringify(found));
