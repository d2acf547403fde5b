// For whoever switched it on: keeps the last portrait and Today on this device, to read them without a network.
// All of it goes as soon as the server refuses anything: this browser was logged out.

const KEPT = "kept-pages"; // it is there while it is switched on
const LASTS = 30 * 24 * 3600 * 1000; // as long as a cookie
const [PAGE, LOADED] = [/^\/a\/[^/]+(\/today)?$/, /^\/assets\//];
// In what anybody wrote, no quote and no bracket stands as it is.
const SECRETS = /<!--secret-->[^]*?<!--\/secret-->/g;
const [HIDDEN, SEEN] = ['id="kept" hidden', 'id="kept"'];

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (new URL(event.request.url).origin === location.origin) event.respondWith(answered(event.request));
});

/** Say whether something is a page that is kept, or what pages load; with a query, it is another page. */
function isKept({ method, mode, url }) {
  const { pathname, search } = new URL(url);
  return method === "GET" && !search && (mode === "navigate" ? PAGE : LOADED).test(pathname);
}

async function answered(request) {
  const answer = await fetch(request).catch(async (problem) => (await fromBefore(request)) ?? Promise.reject(problem));
  if ([401, 403].includes(answer.status)) await forget();
  else if (answer.ok && isKept(request) && (await caches.has(KEPT))) await keep(request, answer.clone());
  return answer;
}

/** Keep what was answered; of a page, not what may be a secret. */
async function keep(request, answer) {
  const body = request.mode === "navigate" ? (await answer.text()).replace(SECRETS, "").replace(HIDDEN, SEEN) : answer.body;
  await (await caches.open(KEPT)).put(request, new Response(body, { headers: answer.headers }));
}

/** Return a page as it was, which says when that was; nothing else is answered. */
async function fromBefore(request) {
  if (!(await caches.has(KEPT))) return null;
  const kept = await caches.open(KEPT);
  if (request.mode === "navigate" && new URL(request.url).pathname === "/") {
    const first = (await kept.keys()).find(({ url }) => PAGE.test(new URL(url).pathname));
    return first ? Response.redirect(first.url) : null;
  }
  const found = isKept(request) ? await kept.match(request, { ignoreVary: true }) : null;
  return found && Date.now() - Date.parse(found.headers.get("Date")) > LASTS ? forget() : found;
}

async function forget() {
  await caches.delete(KEPT);
  await self.registration.unregister();
  return null;
}
