// The plan as a graph: a row for each step, edges in the gutter, filled in as the run goes.

import { byId, el, svg } from "./dom.js";

const ROW = 60;
const X = 26;
const STATES = {
  waiting: { mark: "", told: "waiting" },
  running: { mark: "", told: "at work" },
  done: { mark: "✓", told: "done" },
  failed: { mark: "!", told: "failed" },
  ended: { mark: "", told: "ended" },
};

/** Draws the steps and returns what changes them. */
export function drawPlan(steps) {
  const rows = new Map(steps.map((step, index) => [step.id, index]));
  const began = new Map();
  const gutter = svg(
    "svg",
    { class: "edges", width: 52, height: steps.length * ROW, "aria-hidden": "true", focusable: "false" },
    ...steps.flatMap((step) => step.depends_on.map((before) => edge(rows.get(before), rows.get(step.id)))),
  );
  const items = new Map(steps.map((step) => [step.id, row(step)]));
  byId("plan").replaceChildren(el("div", { class: "plan" }, gutter, el("ol", {}, ...items.values())));
  return {
    started(id) {
      began.set(id, performance.now());
      mark(items.get(id), "running");
    },
    finished(id, failed, facts) {
      mark(items.get(id), failed ? "failed" : "done");
      const took = began.has(id) ? `${Math.max(1, Math.round(performance.now() - began.get(id)))} ms` : "";
      const found = facts ? `${facts} ${facts === 1 ? "fact" : "facts"}` : "";
      items.get(id).querySelector(".found").textContent = [found, took].filter(Boolean).join(", ");
    },
    all(state) {
      for (const item of items.values()) mark(item, state);
    },
    /** Takes the ticks away: a run that found no answer has done nothing well. */
    unticked() {
      for (const item of items.values()) if (item.dataset.state === "done") mark(item, "ended");
    },
    stopped() {
      for (const item of items.values()) if (item.dataset.state === "running") mark(item, "failed");
    },
  };
}

/** Empty rows while the question is being read. */
export function awaitPlan() {
  byId("plan").replaceChildren(el("p", { class: "loading" }, "Reading the question…"));
}

function row(step) {
  const item = el(
    "li",
    { "data-state": "waiting" },
    el("span", { class: "dot", "aria-hidden": "true" }),
    el("span", { class: "subgoal" }, step.subgoal),
    el("span", { class: "module" }, step.module, el("span", { class: "found" })),
    el("span", { class: "sr-only told" }, STATES.waiting.told),
  );
  return item;
}

function mark(item, state) {
  if (!item) return;
  item.dataset.state = state;
  item.querySelector(".dot").textContent = STATES[state].mark;
  item.querySelector(".told").textContent = STATES[state].told;
}

function edge(from, to) {
  const start = from * ROW + ROW / 2;
  const end = to * ROW + ROW / 2;
  const bulge = to - from > 1 ? X - Math.min(20, 7 * (to - from)) : X;
  return svg("path", { d: `M${X} ${start} C${bulge} ${start + ROW / 2}, ${bulge} ${end - ROW / 2}, ${X} ${end}` });
}
