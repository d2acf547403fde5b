// For whoever switched it on: keeps the last portrait and Today on this device, to read them without a network.
// All of it goes as soon as the server refuses anything: this browser was logged out.

const KEPT = "kept-pages"; // it is there while it is switched on
const LASTS = 7 * 24 * 3600 * 1000;
const QUIET = 300;
const pages = new Set(); // the addresses of those that are kept, or were until they were dropped
let changes = 0; // what was asked before one is not kept after it
const [PAGE, LOADED] = [/^\/a\/[^/]+(\/today)?$/, /^\/assets\//];
// In what anybody wrote, no quote and no bracket stands as it is.
const SECRETS = /<!--secret-->[^]*?<!--\/secret-->/g;
const [HIDDEN, SEEN] = ['id="kept" hidden', 'id="kept"'];

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (new URL(event.request.url).origin === location.origin) event.respondWith(answered(event));
});

/** Say whether something is a page that is kept, or what pages load; with a query, it is another page. */
function isKept({ method, mode, url }) {
  const { pathname, search } = new URL(url);
  return method === "GET" && !search && (mode === "navigate" ? PAGE : LOADED).test(pathname);
}

async function answered(event) {
  const [{ request }, before] = [event, changes];
  let answer;
  try {
    answer = await fetch(request);
  } catch (problem) {
    return (await fromBefore(request)) ?? Promise.reject(problem);
  }
  const mayChange = request.method !== "GET" || new URL(request.url).searchParams.has("part");
  if (isRefused(answer)) await forget();
  else if (mayChange) await drop();
  else if (answer.ok && isKept(request)) await keep(request.url, answer.clone(), before);
  if (mayChange || request.mode === "navigate") event.waitUntil(renew(changes));
  return answer;
}

function isRefused({ status }) {
  return [401, 403].includes(status);
}

/** Return what is kept, or null if it is switched off: to open it would switch it on. */
async function opened() {
  return (await caches.has(KEPT)) ? caches.open(KEPT) : null;
}

/** Keep what was answered, unless something changed since *before*; of a page, not what may be a secret. */
async function keep(url, answer, before) {
  const isPage = PAGE.test(new URL(url).pathname);
  const body = isPage ? (await answer.text()).replace(SECRETS, "").replace(HIDDEN, SEEN) : answer.body;
  const kept = await opened(); // not earlier: it may be switched off while a text arrives
  if (kept && isPage) pages.add(url);
  if (kept && before === changes) await kept.put(url, new Response(body, { headers: answer.headers }));
}

async function listPages(kept) {
  for (const { url } of await kept.keys()) if (PAGE.test(new URL(url).pathname)) pages.add(url);
}

/** Drop the pages: what they say may have been erased. */
async function drop() {
  changes += 1;
  const kept = await opened();
  if (!kept) return;
  await listPages(kept);
  for (const url of pages) await kept.delete(url, { ignoreVary: true });
}

/** Fetch the pages anew, once nothing has changed for a moment. */
async function renew(before) {
  await new Promise((done) => setTimeout(done, QUIET));
  const kept = await opened();
  if (!kept) return;
  await listPages(kept);
  for (const url of pages) {
    if (before !== changes) return; // whoever changed it fetches them
    const answer = await fetch(url, { headers: { Accept: "text/html" }, redirect: "manual" }).catch(() => null);
    if (answer?.ok) await keep(url, answer, before);
    else if (answer) await (isRefused(answer) ? forget() : kept.delete(url, { ignoreVary: true }));
  }
}

/** Return a page as it was, which says when that was; nothing else is answered. */
async function fromBefore(request) {
  const kept = await opened();
  if (!kept) return null;
  if (request.mode === "navigate" && new URL(request.url).pathname === "/") {
    const first = (await kept.keys()).find(({ url }) => PAGE.test(new URL(url).pathname));
    return first ? Response.redirect(first.url) : null;
  }
  const found = isKept(request) ? await kept.match(request, { ignoreVary: true }) : null;
  return found && Date.now() - Date.parse(found.headers.get("Date")) > LASTS ? forget() : found;
}

async function forget() {
  changes += 1;
  pages.clear();
  await caches.delete(KEPT);
  await self.registration.unregister();
  return null;
}
