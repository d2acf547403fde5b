// A conversation: what is said appears at once, the answer as it is written, and what came of it when it is done.

import { ask, refresh, takeBack, toast } from "/assets/almario.js";
import { stream } from "/assets/stream.js";

const get = (id) => document.getElementById(id);
const form = get("say");
const field = get("message");
const now = get("now");
const said = get("said");
const isTouched = matchMedia("(pointer: coarse)").matches;
let speaking = null;

function spoken(role, who, textContent) {
  const item = Object.assign(document.createElement("li"), { className: role });
  if (form.classList.contains("off")) item.classList.add("off");
  const speech = Object.assign(document.createElement("div"), { className: "speech" });
  const meta = Object.assign(document.createElement("p"), { className: "meta" });
  meta.append(Object.assign(document.createElement("strong"), { textContent: who }));
  const words = Object.assign(document.createElement("div"), { className: role === "user" ? "words" : "markdown", textContent });
  speech.append(meta, words);
  item.append(speech);
  now.append(item);
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
  const last = now.lastElementChild ?? said.querySelector("ol > li:last-child");
  last?.scrollIntoView({ block: "end" });
}

/** Put the conversation as it is kept in the place of what was shown meanwhile. */
function settle() {
  delete said.dataset.held;
  new MutationObserver((_, observer) => {
    observer.disconnect();
    now.replaceChildren();
    toTheEnd();
  }).observe(said, { childList: true });
  refresh();
}

async function say(message) {
  speaking = new AbortController();
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
    if (problem.name !== "AbortError") toast(problem instanceof TypeError ? document.body.dataset.failedWord : problem.message, { isProblem: true });
  } finally {
    speaking = null;
    now.ariaBusy = "false";
    get("stop").hidden = true;
    settle();
  }
}

function finished(answer) {
  for (const { told, structured: { line } } of answer.done) {
    if (told.length) toast(told.join("\n"), { undo: line && (() => takeBack({ does: form.dataset.undo, body: { line } })) });
  }
  for (const each of answer.told) toast(each);
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

get("stop").addEventListener("click", () => speaking?.abort());

// The switch shows what is so, and does the other next.
get("off").addEventListener("done", (event) => {
  const { session, off } = JSON.parse(event.target.dataset.body);
  form.classList.toggle("off", off);
  event.target.ariaChecked = String(off);
  event.target.dataset.body = JSON.stringify({ session, off: !off });
});

form.inert = false;
if (!location.hash) toTheEnd();
if (!isTouched && !location.hash) field.focus({ preventScroll: true });
