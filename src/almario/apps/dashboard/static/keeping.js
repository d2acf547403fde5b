// The switch in Settings by which this device keeps its last pages.

import { forgetPages, KEPT, toast } from "/assets/almario.js";

const keeps = document.getElementById("keep-pages");

async function keep() {
  await navigator.serviceWorker.register("/assets/worker.js", { scope: "/" });
  await (await caches.open(KEPT)).addAll(["/assets/style.css", "/assets/almario.js", "/assets/icon.svg"]);
}

async function show() {
  keeps.ariaChecked = String(await caches.has(KEPT));
}

if (navigator.serviceWorker) {
  keeps.hidden = false;
  keeps.addEventListener("click", async () => {
    await (keeps.ariaChecked === "true" ? forgetPages() : keep()).catch((problem) => toast(problem.message, { isProblem: true }));
    show();
  });
  show();
}
