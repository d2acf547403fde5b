// The switch in Settings by which this device keeps its last pages.

import { complain, forgetPages, KEPT } from "/assets/almario.js";

const keeps = document.getElementById("keep-pages");

async function keep() {
  await navigator.serviceWorker.register("/assets/worker.js", { scope: "/" });
  await (await caches.open(KEPT)).addAll(["/assets/style.css", "/assets/almario.js", "/assets/icon.svg"]);
}

async function show() {
  keeps.ariaChecked = String(await caches.has(KEPT));
  keeps.hidden = false;
}

keeps.onclick = () => (keeps.ariaChecked === "true" ? forgetPages() : keep()).catch(complain).then(show);
if (navigator.serviceWorker) show();
