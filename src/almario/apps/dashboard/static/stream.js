// A stream that is asked for with a body, which an EventSource cannot do.

const csrf = document.querySelector("meta[name=csrf]")?.content ?? "";

/** Ask the API for a stream and tell *heard* each event, by name and value; an Error says why there is none. */
export async function stream(path, body, heard, signal) {
  const kinds = { Accept: "text/event-stream", "Content-Type": "application/json" };
  const headers = { ...kinds, "Accept-Language": document.documentElement.lang, "X-CSRF-Token": csrf };
  const answer = await fetch(path, { method: "POST", signal, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).detail ?? answer.statusText);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) tell(block, heard);
  }
}

function tell(block, heard) {
  const found = Object.fromEntries(block.split("\n").map((line) => [line.split(": ", 1)[0], line.slice(line.indexOf(": ") + 2)]));
  if (!found.event) return;
  const value = JSON.parse(found.data);
  if (found.event === "problem") throw Object.assign(new Error(value.detail), { status: value.status });
  heard(found.event, value);
}
