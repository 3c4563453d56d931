// What was asked before.

import { getJson, remove } from "./api.js";
import { byId, el } from "./dom.js";

const FORGET = "Forget all";
const SURE = "Really forget all questions?";

/** Makes the History button work. `handlers`: open (the id of a question), forgotten (all of them were). */
export function startHistory(handlers) {
  byId("history-open").addEventListener("click", () => {
    byId("history").showModal();
    show(handlers);
  });
}

async function show(handlers, before = null) {
  const body = byId("history-body");
  if (!before) body.replaceChildren(el("p", { class: "loading" }, "Loading…"));
  try {
    const page = await getJson(`/api/history${before ? `?before=${before}` : ""}`);
    if (!before) body.replaceChildren();
    body.querySelector(".history-more")?.remove();
    body.append(...content(page, handlers, Boolean(before)));
  } catch (problem) {
    failed(problem);
  }
}

function failed(problem) {
  const told = `${problem.message} ${problem.remedy ?? ""}`;
  byId("history-body").replaceChildren(el("p", { class: "warning", role: "alert" }, told));
}

function content(page, handlers, more) {
  if (!page.items.length && !more) return [el("p", { class: "empty" }, "Nothing has been asked yet.")];
  const parts = [el("ul", { class: "asked-list" }, ...page.items.map((item) => row(item, handlers.open)))];
  const buttons = [];
  if (page.before) buttons.push(el("button", { type: "button", onclick: () => show(handlers, page.before) }, "Show more"));
  buttons.push(el("button", { type: "button", class: "danger", onclick: (event) => forget(event.target, handlers) }, FORGET));
  parts.push(el("p", { class: "row history-more" }, ...buttons));
  return parts;
}

function row(item, open) {
  const at = new Date(item.at).toLocaleString();
  const told = item.kept ? item.answer || item.status.replace("_", " ") : "not kept: the map service's terms forbid it";
  return el(
    "li",
    {},
    el(
      "button",
      {
        type: "button",
        class: "asked-item",
        disabled: !item.kept,
        onclick: () => {
          byId("history").close();
          open(item.id);
        },
      },
      el("span", { class: "asked-question" }, item.question),
      el("span", { class: "asked-answer" }, told),
      el("span", { class: "asked-when" }, [at, item.map ?? item.provider].filter(Boolean).join(" · ")),
    ),
  );
}

/** Forgets all, if the button is pressed a second time. */
async function forget(button, handlers) {
  if (button.textContent === FORGET) {
    button.textContent = SURE;
    return;
  }
  try {
    await remove("/api/history");
    handlers.forgotten();
    await show(handlers);
  } catch (problem) {
    failed(problem);
  }
}
