// Prints {file: {encoding: tokens}} for the files named as arguments.
import { readFileSync } from "node:fs";
import { getEncoding } from "js-tiktoken";

const encodings = ["o200k_base", "cl100k_base"].map((name) => [name, getEncoding(name)]);
const counts = {};
for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, "utf8");
  counts[file] = Object.fromEntries(
    encodings.map(([name, encoding]) => [name, encoding.encode(text, [], []).length]),
  );
}
console.log(JSON.stringify(counts));
