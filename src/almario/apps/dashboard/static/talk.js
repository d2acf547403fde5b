// A conversation: what is said appears at once, the answer as it is written, and what came of it when it is done.

import { ask, button, complain, make, refresh, takeBack, toast } from "/assets/almario.js";
import { stream } from "/assets/stream.js";

const get = (id) => document.getElementById(id);
const form = get("say");
const field = get("message");
const now = get("now");
const said = get("said");
const notes = get("notes");
const { undoWord } = document.body.dataset;
const isTouched = matchMedia("(pointer: coarse)").matches;
// The status of an answer that a model did not give, or gave badly.
const FAILING = [502, 503];
const unkept = new Map();
let speaking = null;
let isSettling = false;

function spoken(role, who, textContent) {
  const meta = make("p", { className: "meta" }, make("strong", { textContent: who }));
  const words = make("div", { className: role === "user" ? "words" : "markdown", textContent });
  const className = form.classList.contains("off") ? `${role} off` : role;
  now.append(make("li", { className }, make("div", { className: "speech" }, meta, words)));
  return words;
}

/** Return what shows Markdown as it grows: the server makes HTML of it, and escapes what was typed. */
function writer(place) {
  let text = "";
  let shown = "";
  let isBusy = false;
  return async (piece) => {
    text += piece;
    if (isBusy) return;
    isBusy = true;
    while (shown !== text) {
      shown = text;
      try {
        place.innerHTML = (await ask("POST /preview", { text: shown })).told.html;
      } catch {
        place.textContent = shown;
      }
      if (isAtEnd()) toTheEnd();
    }
    isBusy = false;
  };
}

function toTheEnd() {
  scrollTo(0, document.body.scrollHeight);
}

const lastSaid = () => said.querySelector("ol > li:last-child");

/** Put the conversation as it is kept in the place of what was shown meanwhile. */
function settle() {
  delete said.dataset.held;
  isSettling = true;
  refresh();
}

/** Whether the answer to a message is kept after all: one that was stopped is, when its model has heard of it. */
function isKept(id) {
  let next = get(id)?.nextElementSibling;
  while (next && !next.matches(".user, .assistant[id]")) next = next.nextElementSibling;
  return Boolean(next?.matches(".assistant"));
}

/** Show below a message what was answered without a model: nobody keeps that but this page. */
function showUnkept() {
  const last = lastSaid();
  const answer = now.lastElementChild;
  if (isSettling && last?.matches(".user") && answer?.querySelector(".markdown")?.textContent) unkept.set(last.id, answer);
  if (isSettling) now.replaceChildren();
  const reminded = said.querySelector(".reminded");
  const isAnswered = unkept.has(last?.id) || notes.childElementCount;
  const hasLinks = reminded?.querySelector(".memories");
  if (isAnswered && !hasLinks) reminded?.remove();
  for (const [id, shown] of unkept) {
    if (isKept(id)) unkept.delete(id);
    if (!unkept.has(id) || (hasLinks && id === last?.id)) continue; // the same stands there already
    shown.className = "assistant";
    get(id)?.after(shown);
  }
  if (isSettling) toTheEnd();
  isSettling = false;
}

async function say(message) {
  if (speaking) return;
  speaking = new AbortController();
  notes.replaceChildren();
  said.dataset.held = ""; // what is being said would appear twice
  now.ariaBusy = "true";
  get("stop").hidden = false;
  spoken("user", now.dataset.you, message);
  const write = writer(spoken("assistant writing", now.dataset.it, ""));
  toTheEnd();
  try {
    await stream(form.dataset.chat, { message, session: form.dataset.session }, (event, value) => {
      if (event === "text") write(value.text);
      if (event === "answer") finished(value);
      if (isAtEnd()) toTheEnd();
    }, speaking.signal);
  } catch (problem) {
    if (FAILING.includes(problem.status)) noteFailing([problem.message]);
    else complain(problem);
  } finally {
    speaking = null;
    now.ariaBusy = "false";
    get("stop").hidden = true;
    settle();
  }
}

/** Show below the conversation what came of a message, each with what can be done about it there and then. */
function finished({ done, told, is_memory, recalled }) {
  notes.replaceChildren();
  if (is_memory && recalled.length) now.lastElementChild.querySelector("strong").textContent = form.dataset.memory;
  const { keepWord, keptWord } = form.dataset;
  const keep = () => ask(form.dataset.keep).then(() => toast(keptWord), complain);
  for (const { told, name, structured: { line } } of done) {
    if (line) note(told, [[undoWord, () => takeBack({ does: form.dataset.undo, body: { line } })]]);
    else if (name === "withheld") note(told, [[keepWord, keep]]);
    else note(told, name === "off_record" ? [[keepWord, () => say("/keep")]] : []);
  }
  noteFailing(told);
}

/** Say why a model did not answer, and lead whoever may choose another to where that is done. */
function noteFailing(told) {
  const { settings, settingsWord } = form.dataset;
  note(told, settings ? [[settingsWord, settings]] : []);
}

function note(told, ways) {
  if (!told.length) return;
  const way = ([word, does]) =>
    typeof does === "string" ? make("a", { className: "act", href: does, textContent: word }) : button(word, does, "act");
  const acts = make("div", { className: "acts" }, ...ways.map(way));
  const words = told.map((textContent) => make("p", { className: "words", textContent }));
  const shown = make("div", { className: "outcome" }, make("div", {}, ...words), acts);
  acts.addEventListener("click", () => {
    shown.remove();
    field.focus();
  });
  notes.append(shown);
}

function isAtEnd() {
  return innerHeight + scrollY > document.body.scrollHeight - 240;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const message = field.value.trim();
  if (!message || speaking) return;
  field.value = "";
  say(message);
});

field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || isTouched) return;
  event.preventDefault();
  form.requestSubmit();
});

get("undo").addEventListener("click", () => say("undo"));
get("stop").addEventListener("click", () => speaking?.abort());

// The switch shows what is so, and does the other next.
get("off").addEventListener("done", (event) => {
  const { session, off } = JSON.parse(event.target.dataset.body);
  form.classList.toggle("off", off);
  event.target.ariaChecked = String(off);
  event.target.dataset.body = JSON.stringify({ session, off: !off });
});

new MutationObserver(showUnkept).observe(said, { childList: true });
form.inert = false;
if (!location.hash) toTheEnd();
if (!isTouched && !location.hash) field.focus({ preventScroll: true });
