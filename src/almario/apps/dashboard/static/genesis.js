// Drafting a soul: described, seen as it is written, refined in words, and applied.

import { ask, complain, make } from "/assets/almario.js";
import { stream } from "/assets/stream.js";

const get = (id) => document.getElementById(id);
const form = get("describe");
const words = form.dataset;
// A draft costs time and money: it survives that the page is loaded again.
const KEPT = `draft:${words.agent}`;
const VALUES = /"((?:[^"\\]|\\.)*)(?:"(\s*:)?|$)/g;
let current = null;

function agent() {
  return get("whose-new")?.checked ? get("agent-id").value : words.agent;
}

function described() {
  const fields = new FormData(form);
  const found = {};
  for (const name of ["name", "role", "language", "owner", "description", "archetype"]) {
    if (fields.get(name)) found[name] = fields.get(name);
  }
  return found;
}

/** Show a half-written answer: the values of its JSON, each a paragraph. */
function live(text) {
  const told = [];
  for (const [, inner, isKey] of text.matchAll(VALUES)) {
    if (!isKey && inner) told.push(inner.replace(/\\n/g, " ").replace(/\\(.)/g, "$1"));
  }
  get("live").replaceChildren(...told.map((textContent) => make("p", { textContent })));
}

async function draft(body) {
  const path = `/api/v1/agents/${encodeURIComponent(agent())}/generate-soul`;
  const buttons = document.querySelectorAll("#describe button, #refine button, #apply");
  let text = "";
  for (const each of buttons) each.disabled = true;
  get("drafting").hidden = false;
  get("progress").textContent = words.makingWord;
  get("drafting-title").focus();
  try {
    await stream(path, body, (event, value) => {
      if (event === "working" && value.model) get("progress").textContent = words.writingWord.replace("$model", value.model);
      if (event === "text") {
        text += value.text;
        get("live").hidden = false;
        live(text);
      }
      if (event === "draft") current = { ...value, agent: agent(), owner: get("owner").value };
    });
    await show();
    sessionStorage.setItem(KEPT, JSON.stringify(current));
  } catch (problem) {
    complain(problem);
    if (!current) get("drafting").hidden = true;
  } finally {
    for (const each of buttons) each.disabled = false;
    get("live").hidden = true;
    get("progress").textContent = "";
  }
}

async function show() {
  const shown = await Promise.all(Object.entries(current.files).map(async ([name, text]) => {
    const { told } = await ask(words.preview, { text });
    const whole = make("div", { className: "document markdown", innerHTML: told.html });
    return make("details", { className: "file", open: name === "SOUL.md" }, make("summary", { textContent: name }), whole);
  }));
  get("files").replaceChildren(...shown);
  Object.assign(get("apply").dataset, {
    act: `POST /api/v1/agents/${encodeURIComponent(current.agent)}/apply-soul`,
    body: JSON.stringify({ draft: current.draft, owner: current.owner }),
    then: `/a/${encodeURIComponent(current.agent)}/soul`,
  });
  get("drafting").hidden = false;
  get("decide").hidden = false;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  draft(described());
});
get("refine").addEventListener("submit", (event) => {
  event.preventDefault();
  draft({ draft: current.draft, refinement: get("refinement").value, owner: current.owner })
    .then(() => event.target.reset());
});
get("whose-new")?.form.addEventListener("change", () => {
  get("new-agent").hidden = !get("whose-new").checked;
  get("agent-id").required = get("whose-new").checked;
});
get("apply").addEventListener("click", () => sessionStorage.removeItem(KEPT));

form.inert = false;
current = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
if (current) show();
