// What pages do besides being read: acts, live regions, toasts, filters and keys.
// The docstring of the Python package almario.apps.dashboard says how a page uses them.

const words = document.body.dataset;
const language = document.documentElement.lang;
const csrf = document.querySelector("meta[name=csrf]")?.content ?? "";
const TOAST_SECONDS = 10;
const AGAIN_SECONDS = 1;
const STILL_SECONDS = 1;
const TYPING_PAUSE = 120;
let typed = null;

// ---- the API

class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** Ask the API as programs do; a refusal is a Problem whose message is a sentence for people. */
export async function ask(does, body, headers = {}) {
  const [method, path] = does.split(" ");
  const own = { Accept: "application/json", "Accept-Language": language, "X-CSRF-Token": csrf };
  const sent = { method, headers: { ...own, ...headers } };
  if (method !== "GET" && method !== "DELETE") {
    sent.body = JSON.stringify(body ?? {});
    sent.headers["Content-Type"] = "application/json";
  }
  let answer;
  try {
    answer = await fetch(path, sent);
  } catch {
    throw new Problem(0, words.failedWord);
  }
  const told = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : {};
  if (!answer.ok) throw new Problem(answer.status, told.detail ?? words.failedWord);
  return { told, version: answer.headers.get("ETag") ?? "" };
}

// ---- toasts

let lastUndo = null;

/** Say something for a while; with *undo*, it can be taken back meanwhile. */
export function toast(text, { undo = null, isProblem = false } = {}) {
  const shown = make("div", { className: isProblem ? "toast problem" : "toast" }, make("span", { textContent: text }));
  const gone = () => {
    shown.remove();
    document.removeEventListener("keydown", count);
    if (lastUndo === undone) lastUndo = null;
  };
  let timer = 0;
  const count = () => {
    clearTimeout(timer);
    if (!shown.matches(":hover, :focus-within")) timer = setTimeout(gone, TOAST_SECONDS * 1000);
  };
  const undone = undo && (async () => {
    gone();
    await undo();
  });
  if (undone) {
    shown.append(button(words.undoWord, undone));
    lastUndo = undone;
  }
  shown.append(Object.assign(button("×", gone, "close"), { ariaLabel: words.closeWord }));
  document.getElementById("toasts").append(shown);
  if (isProblem) return; // it stays until it was read
  count();
  for (const each of ["pointerenter", "pointerleave", "focusin", "focusout"]) shown.addEventListener(each, count);
  document.addEventListener("keydown", count); // who walks there by Tab is waited for
}

/** Say what went wrong; what was called off is no problem. */
export function complain(problem) {
  if (problem.name === "AbortError") return;
  toast(problem instanceof TypeError ? words.failedWord : problem.message, { isProblem: true });
}

export function make(tag, given, ...inside) {
  const made = Object.assign(document.createElement(tag), given);
  made.append(...inside);
  return made;
}

export function button(textContent, onclick, className = "") {
  return make("button", { type: "button", textContent, onclick, className });
}

/** Let a toast be shown on the page that is gone to; who undoes it there comes back here. */
function toastThere(text, undo) {
  sessionStorage.setItem("toast", JSON.stringify({ text, undo, back: undo && location.href }));
}

function toastFromBefore() {
  const kept = JSON.parse(sessionStorage.getItem("toast") ?? "null");
  sessionStorage.removeItem("toast");
  if (kept) toast(kept.text, { undo: kept.undo && (() => takeBack(kept.undo, kept.back)) });
}

// ---- acts

/** Let forms be used, now that there is something that sends them. */
function wake(place) {
  for (const form of place.querySelectorAll("form[data-act]")) form.inert = false;
}

/** Return a form's fields as JSON has them; what is empty is left out, unless it is required or may be empty. */
export function fieldsOf(form) {
  const found = {};
  for (const field of form.elements) {
    if (!field.name || field.disabled || (field.type === "radio" && !field.checked)) continue;
    if (field.type === "checkbox") found[field.name] = field.checked;
    else if (field.type === "number") { if (field.value) found[field.name] = Number(field.value); }
    else if (field.value || field.required || "empty" in field.dataset) found[field.name] = field.value;
  }
  return found;
}

/** Fill what stands as "$name" (or "$name.of.it") with what an answer says. */
function filled(value, told) {
  if (typeof value === "string" && value.startsWith("$")) {
    return value.slice(1).split(".").reduce((inner, name) => inner?.[name], told);
  }
  if (Array.isArray(value)) return value.map((each) => filled(each, told));
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, told)]));
  }
  return value;
}

export async function takeBack({ does, body }, back = "") {
  try {
    await ask(does, body);
  } catch (problem) {
    return complain(problem);
  }
  if (!back) {
    for (const row of document.querySelectorAll("[data-acted]")) delete row.dataset.acted;
    toast(words.undoneWord);
    return refresh();
  }
  toastThere(words.undoneWord, null);
  location.assign(back);
}

async function act(element) {
  if (element.ariaBusy === "true" || element.closest("[data-item][data-acted]")) return;
  const given = element.dataset;
  const own = element instanceof HTMLFormElement ? fieldsOf(element) : {};
  const body = { ...JSON.parse(given.body || "{}"), ...own };
  const headers = given.version ? { "If-Match": given.version } : {};
  element.ariaBusy = "true";
  try {
    const { told, version } = await ask(given.act, body, headers);
    if (given.version) given.version = version;
    done(element, told);
  } catch (problem) {
    if (given.version && (problem.status === 409 || problem.status === 412)) await conflict(element);
    complain(problem);
  } finally {
    element.ariaBusy = "false";
  }
}

function done(element, told) {
  const given = element.dataset;
  const undo = given.undo && { does: given.undo, body: filled(JSON.parse(given.undoBody || "{}"), told) };
  element.removeAttribute("data-dirty");
  if (given.answer) fillSlots(document.querySelector(given.answer), told);
  if (given.then) {
    if (given.done) toastThere(given.done, undo);
    const there = given.then.replace(/\$([\w.]+)/g, (whole) => encodeURIComponent(filled(whole, told)));
    location.assign(there);
    return;
  }
  if (given.done) toast(given.done, { undo: undo && (() => takeBack(undo)) });
  if ("reset" in given) element.reset();
  for (const secret of element.querySelectorAll("input[type=password]")) secret.value = "";
  if ("once" in given) element.hidden = true;
  // Until the list is brought up to date, nothing more is done to the same row.
  if (element.matches("[data-live] [data-item] button")) element.closest("[data-item]").dataset.acted = "";
  element.dispatchEvent(new CustomEvent("done", { bubbles: true, detail: told }));
  refresh();
}

/** Show in a hidden element what an answer says: each data-slot gets the value of its name, a list its items. */
export function fillSlots(place, told) {
  for (const slot of place.querySelectorAll("[data-slot]")) {
    const value = filled(`$${slot.dataset.slot}`, told);
    if (slot instanceof HTMLTextAreaElement) slot.value = value ?? "";
    else if (Array.isArray(value)) {
      slot.replaceChildren(...value.map((each) => make("li", { textContent: each?.text ?? String(each) })));
    } else slot.textContent = value ?? "";
  }
  place.hidden = false;
  place.querySelector("[tabindex],h2,h3")?.focus();
}

/** Somebody was quicker: show what is there now; whoever sends again does so over what they have seen. */
async function conflict(form) {
  const place = form.querySelector("[data-conflict]");
  const { told, version } = await ask(`GET ${form.dataset.act.split(" ")[1]}`);
  form.dataset.version = version;
  if (place) fillSlots(place, told);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.act) {
    event.preventDefault();
    act(form);
  } else if (form.dataset.filters) {
    event.preventDefault();
    filter(form);
  }
});

document.addEventListener("click", (event) => {
  const pressed = event.target.closest("button[data-act], [data-open], [data-each], [data-unpick]");
  if (!pressed) return;
  if (pressed.dataset.open) open(document.querySelector(pressed.dataset.open));
  else if (pressed.dataset.each) actOnPicked(pressed);
  else if ("unpick" in pressed.dataset) unpick();
  else act(pressed);
});

document.addEventListener("input", (event) => {
  event.target.closest("form[data-act]")?.setAttribute("data-dirty", "");
});

window.addEventListener("beforeunload", (event) => {
  if (document.querySelector("form[data-act][data-dirty] textarea")) event.preventDefault();
});

// ---- several at once: memories that are picked, with one undo for all

function picked() {
  return [...document.querySelectorAll("[data-pick]:checked")];
}

function countPicked() {
  const bar = document.getElementById("picking");
  if (!bar) return;
  bar.hidden = !picked().length;
  bar.querySelector("[data-count]").textContent = picked().length;
}

function unpick() {
  for (const each of picked()) each.checked = false;
  countPicked();
}

async function actOnPicked(pressed) {
  const given = pressed.dataset;
  const undos = [];
  try {
    for (const { dataset } of picked()) {
      const id = dataset.pick;
      const { told } = await ask(given.each.replace("$id", encodeURIComponent(id)), filled(JSON.parse(given.body), { id }));
      undos.unshift({ line: told.seq });
    }
    unpick();
  } catch (problem) {
    complain(problem);
  }
  const undo = async () => {
    try {
      for (const body of undos) await ask(given.undo, body);
      toast(words.undoneWord);
    } catch (problem) {
      complain(problem);
    }
    refresh();
  };
  if (undos.length) toast(given.done.replace("$count", undos.length), { undo });
  refresh();
}

document.addEventListener("change", (event) => { if (event.target.dataset.pick) countPicked(); });

// ---- the palette: pages and acts, from anywhere, by a few letters

const palette = document.getElementById("palette");
const letters = document.getElementById("palette-q");

function open(dialog) {
  dialog.showModal();
  if (dialog !== palette) return;
  letters.value = "";
  find();
}

function find() {
  const asked = new URLSearchParams({ part: "found", q: letters.value });
  fetchPart(document.getElementById("palette-found"), `${palette.dataset.find}?${asked}`);
}

letters?.addEventListener("input", () => {
  clearTimeout(typed);
  typed = setTimeout(find, TYPING_PAUSE);
});

palette?.addEventListener("keydown", (event) => {
  const found = [...palette.querySelectorAll("#palette-found a, #palette-found button")];
  const here = found.indexOf(document.activeElement);
  const next = { ArrowDown: here + 1, ArrowUp: here - 1 }[event.key];
  if (next !== undefined) {
    event.preventDefault();
    (found[next] ?? letters).focus();
  } else if (event.key === "Enter" && event.target === letters && found.length) {
    event.preventDefault();
    found[0].click();
  }
});

palette?.addEventListener("click", (event) => {
  if (event.target === palette || event.target.closest("#palette-found a, #palette-found button")) palette.close();
});

// ---- live regions

const fetching = new WeakMap();

/** Fetch a part of a page and *put* it in its place; of several at once, the last one counts. */
async function fetchPart(place, address, put = (text) => (place.innerHTML = text)) {
  fetching.get(place)?.abort();
  const aborting = new AbortController();
  fetching.set(place, aborting);
  try {
    const answer = await fetch(address, { signal: aborting.signal, headers: { Accept: "text/html" } });
    const text = await answer.text();
    if (answer.ok && fetching.get(place) === aborting) put(text);
  } catch (problem) {
    complain(problem);
  }
}

function fetchRegion(region) {
  const address = new URL(location.href);
  address.searchParams.set("part", region.dataset.live);
  return fetchPart(region, address, (text) => put(region, text));
}

/** What says that it is not over yet is looked at again soon, for as long as the page is seen. */
function lookAgain(region) {
  if (!region.querySelector("[data-again]")) return;
  setTimeout(() => (document.hidden || isInUse(region) ? lookAgain(region) : fetchRegion(region)), AGAIN_SECONDS * 1000);
}

function put(region, text) {
  const inside = region.contains(document.activeElement) ? document.activeElement : null;
  const near = inside?.closest("[id]");
  const named = near && region.contains(near) ? near.id : null;
  const open = [...region.querySelectorAll("details[open][id]")].map((each) => each.id);
  const picks = picked().map((each) => each.dataset.pick);
  region.innerHTML = text;
  for (const each of region.querySelectorAll("[data-pick]")) each.checked = picks.includes(each.dataset.pick);
  countPicked();
  wake(region);
  region.removeAttribute("data-stale");
  lookAgain(region);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (inside) {
    const there = named && document.getElementById(named);
    (there?.matches("a,button,input") ? there : there?.querySelector("a,button") ?? region.querySelector("a,button"))?.focus();
  }
}

/** Say whether somebody is writing in a region: what they have typed must not go. */
function isInUse(region) {
  if (region.querySelector("form[data-dirty]")) return true;
  const here = document.activeElement;
  return region.contains(here) && here.matches("textarea, input:not([type=checkbox]), select");
}

let pointer = { x: -1, y: -1, at: 0 };
for (const each of ["pointerdown", "pointermove"]) {
  document.addEventListener(each, ({ clientX, clientY }) => (pointer = { x: clientX, y: clientY, at: Date.now() }));
}

/** Return how long the pointer must still rest in a region before what is under it may move. */
function restOf(region) {
  const rest = pointer.at + STILL_SECONDS * 1000 - Date.now();
  return rest > 0 && region.contains(document.elementFromPoint(pointer.x, pointer.y)) ? rest : 0;
}

function changed(region) {
  if ("held" in region.dataset || "rests" in region.dataset) return; // whoever holds it brings it up to date
  const rest = restOf(region);
  if (rest) {
    region.dataset.rests = "";
    setTimeout(() => {
      delete region.dataset.rests;
      changed(region);
    }, rest);
    return;
  }
  if (!isInUse(region)) return fetchRegion(region);
  if (region.hasAttribute("data-stale")) return;
  region.setAttribute("data-stale", "");
  const show = button(words.showWord, () => fetchRegion(region));
  region.prepend(make("p", { className: "stale" }, `${words.changedWord} `, show));
}

/** Bring every region up to date. */
export function refresh() {
  for (const region of document.querySelectorAll("[data-live]")) changed(region);
}

let stream = null;
let position = words.position;
let due = null;
const waiting = new Set();

/** Follow the journal for as long as the page is seen: a browser opens few streams at once. */
function follow() {
  const kinds = new Set();
  for (const region of document.querySelectorAll("[data-live]")) {
    for (const kind of region.dataset.on.split(" ")) kinds.add(kind);
  }
  if (!kinds.size || !words.events || stream) return;
  stream = new EventSource(`${words.events}?after=${position}`);
  const line = document.getElementById("offline");
  stream.onopen = () => (line.textContent = "");
  stream.onerror = () => (line.textContent = words.goneWord);
  for (const kind of kinds) stream.addEventListener(kind, heard);
}

function heard(event) {
  position = event.lastEventId || position;
  for (const region of document.querySelectorAll("[data-live]")) {
    if (region.dataset.on.split(" ").includes(event.type)) waiting.add(region);
  }
  document.dispatchEvent(new CustomEvent("almario:event", { detail: { type: event.type, data: event.data } }));
  due ??= setTimeout(() => {
    due = null;
    for (const region of waiting) changed(region);
    waiting.clear();
  }, 150);
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) return follow();
  stream?.close();
  stream = null;
});
window.addEventListener("pagehide", () => { stream?.close(); stream = null; });
window.addEventListener("pageshow", (event) => { if (event.persisted) { refresh(); follow(); } });

// ---- filters: a form whose region follows as one types

function filter(form) {
  const asked = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) asked.append(name, value);
  const address = `${form.getAttribute("action") ?? location.pathname}${asked.size ? `?${asked}` : ""}`;
  history.replaceState(null, "", address);
  for (const link of document.querySelectorAll(".chips a")) {
    if (link.getAttribute("href") === address) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  for (const name of form.dataset.filters.split(" ")) {
    const region = document.querySelector(`[data-live="${name}"]`);
    if (region) fetchRegion(region);
  }
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-filters]");
  if (!form) return;
  clearTimeout(typed);
  typed = setTimeout(() => filter(form), ["search", "text"].includes(event.target.type) ? TYPING_PAUSE : 0);
});

// ---- keys

let chord = 0;

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "k" && palette && !palette.open) {
    event.preventDefault();
    return open(palette);
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") return leave(event);
  if (event.target.closest("textarea, select, [contenteditable], dialog")) return;
  if (event.target.matches("input:not([type=checkbox], [type=radio])")) return;
  if (Date.now() - chord < 1500 && event.key !== "g") {
    chord = 0;
    const link = document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`);
    if (link) {
      event.preventDefault();
      link.click();
    }
    return;
  }
  const does = {
    g: () => (chord = Date.now()),
    "/": search,
    "?": () => document.getElementById("keys").showModal(),
    u: () => lastUndo?.(),
    j: () => walk(1),
    k: () => walk(-1),
  }[event.key];
  if (!does) return;
  event.preventDefault();
  does();
});

function leave(event) {
  for (const menu of document.querySelectorAll("details.menu[open]")) menu.removeAttribute("open");
  if (event.target.matches("input[type=search]")) event.target.blur();
}

function search() {
  const field = document.querySelector("input[type=search]");
  if (field) return field.select();
  const memory = document.querySelector('a[data-key="m"]');
  if (memory) location.assign(`${memory.href}#search`);
}

function walk(step) {
  const items = [...document.querySelectorAll("[data-item]")];
  const here = items.findIndex((item) => item.contains(document.activeElement));
  const next = items[here < 0 ? (step > 0 ? 0 : items.length - 1) : here + step];
  const focus = next?.matches("a") ? next : next?.querySelector("a, summary, button");
  focus?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.removeAttribute("open");
  }
});

wake(document);
document.querySelector("[autofocus]")?.focus(); // it could not be while its form was inert
document.documentElement.classList.add("js");
if (location.hash === "#search") document.querySelector("input[type=search]")?.focus();
toastFromBefore();
follow();
for (const region of document.querySelectorAll("[data-live]")) lookAgain(region);
const visited = document.querySelector("[data-visit]")?.dataset.visit;
if (visited) ask(visited).catch(() => {});
