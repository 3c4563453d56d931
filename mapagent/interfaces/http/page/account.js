// The ledger and the trace of a run.

import { getBlob } from "./api.js";
import { byId, download, el } from "./dom.js";

const MILLISECONDS = 1000;

/** Shows what an answer took; the trace is fetched when it is opened. */
export function showAccount(answer, report) {
  byId("account-card").hidden = false;
  const parts = [ledger(answer.usage)];
  if (answer.id) parts.push(trace(answer, report));
  else parts.push(el("p", { class: "hint" }, "This server keeps no history, so there is no trace to open."));
  byId("account").replaceChildren(...parts);
}

function ledger(usage) {
  const rows = [
    ["Time", `${Math.round(usage.latency_s * MILLISECONDS)} ms`],
    ["Map calls", usage.tool_calls],
    ["Model calls", usage.llm_calls],
    ["Tokens", `${usage.prompt_tokens} in, ${usage.completion_tokens} out`],
    ["Cost", `${usage.cost_usd.toFixed(4)} USD`],
  ];
  return el(
    "dl",
    { class: "ledger" },
    ...rows.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, String(value)))),
  );
}

function trace(answer, report) {
  const body = el("div", { class: "trace", tabindex: 0, role: "region", "aria-label": "Trace" }, el("p", { class: "loading" }, "Loading…"));
  const details = el("details", {}, el("summary", {}, "Trace"), body);
  details.addEventListener(
    "toggle",
    () => fill(answer.id, body).catch((problem) => body.replaceChildren(el("p", { class: "warning" }, `${problem.message} ${problem.remedy ?? ""}`))),
    { once: true },
  );
  const save = async (path, name) => {
    try {
      download(await getBlob(path), name);
    } catch (problem) {
      report(problem);
    }
  };
  return el(
    "div",
    {},
    details,
    el(
      "p",
      { class: "row" },
      el("button", { type: "button", onclick: () => save(`/api/traces/${answer.id}`, `mapagent-${answer.id}.jsonl`) }, "Download the trace"),
      el("button", { type: "button", onclick: () => save(`/api/history/${answer.id}`, `mapagent-${answer.id}.json`) }, "Download the answer"),
    ),
  );
}

async function fill(id, body) {
  const lines = (await (await getBlob(`/api/traces/${id}`)).text()).trim().split("\n");
  const spans = lines.map((line) => JSON.parse(line));
  const total = Math.max(...spans.map((span) => span.end_s ?? 0), 0.001);
  body.replaceChildren(el("ul", { class: "spans" }, ...spans.filter((span) => span.parent === null).map((span) => branch(span, spans, total))));
}

function branch(span, spans, total) {
  const took = span.end_s === null ? "unfinished" : `${((span.end_s - span.start_s) * MILLISECONDS).toFixed(1)} ms`;
  const detail = Object.entries(span.attributes).map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const children = spans.filter((other) => other.parent === span.id);
  const share = el("meter", { class: "share", min: 0, max: total, value: (span.end_s ?? total) - span.start_s, "aria-hidden": "true" });
  return el(
    "li",
    {},
    el("span", { class: "span-name" }, span.name),
    el("span", { class: "span-time" }, took, span.status === "ok" ? "" : ` ${span.status}`),
    share,
    ...(detail.length ? [el("span", { class: "span-detail" }, detail.join(", "))] : []),
    ...(children.length ? [el("ul", {}, ...children.map((child) => branch(child, spans, total)))] : []),
  );
}
