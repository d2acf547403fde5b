// Editing a soul file: the preview follows as one types.

import { ask } from "/assets/almario.js";

const PAUSE = 250;
let due = null;
let asked = 0;

/** Show how a text will look; of several at once, the last one counts. */
async function preview(field) {
  const mine = ++asked;
  const { told } = await ask(field.dataset.preview, { text: field.value });
  if (mine !== asked) return;
  document.getElementById("preview").innerHTML = told.html; // made by the server, which escapes what was typed
}

document.addEventListener("input", (event) => {
  const field = event.target;
  if (!field.dataset.preview) return;
  clearTimeout(due);
  due = setTimeout(() => preview(field).catch(() => {}), PAUSE);
});

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key !== "s" || !event.target.dataset.preview) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});
