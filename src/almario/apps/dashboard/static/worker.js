// Takes the place of what kept pages on a device in 0.2: all of it goes, this too.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) =>
  event.waitUntil(caches.delete("kept-pages").then(() => self.registration.unregister())),
);
