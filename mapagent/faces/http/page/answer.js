// The answer: what it is, how sure, what must be said with it, and the claims it rests on.

import { byId, el } from "./dom.js";
import { claimsOf, claimText } from "./evidence.js";

const STATUS = {
  answered: ["Answered", "good"],
  unanswerable: ["Unanswerable", "fair"],
  not_understood: ["Not understood", "fair"],
  ambiguous: ["Ambiguous", "fair"],
  limit: ["Stopped at a limit", "fair"],
  error: ["Failed", "bad"],
};

const LONG = 120; // characters: more than that is a list to read, no headline

/** A placeholder while the run goes on. */
export function awaitAnswer(question) {
  byId("answer-body").replaceChildren(
    el("p", { class: "asked" }, question),
    el("div", { class: "skeleton tall", "aria-hidden": "true" }),
  );
}

/**
 * Shows an answer, and beneath it what else is given; `open` is called with the id of a fact that is to be opened,
 * `choose` with the number of the place that an ambiguous name means.
 */
export function showAnswer(question, answer, open, choose, beneath = []) {
  const [told, tone] = STATUS[answer.status] ?? [answer.status, "fair"];
  const text = answer.option ? `${answer.option}. ${answer.answer}` : answer.answer;
  byId("answer-body").replaceChildren(
    el("p", { class: "asked" }, question),
    el("p", { class: `badge ${tone}` }, told),
    ...(text ? [el("p", { class: text.length > LONG ? "answer-text long" : "answer-text" }, text)] : []),
    ...(reason(answer) ? [el("p", { class: "reason" }, reason(answer))] : []),
    ...choices(answer.candidates, choose),
    ...(answer.explanation ? [el("p", { class: "explanation" }, answer.explanation)] : []),
    ...answer.warnings.map((warning) => el("p", { class: "warning", role: "note" }, warning)),
    ...claims(answer, open),
    ...beneath,
    ...credit(answer),
  );
}

/** Why there is no answer; the places that a name may mean stand below it as choices. */
function reason({ candidates, reason }) {
  return candidates.length ? `“${candidates[0].asked}” may be any of ${candidates.length} places. Which one is meant?` : reason;
}

function choices(candidates, choose) {
  if (!candidates.length) return [];
  const row = (one) =>
    el("button", { type: "button", class: "choice", onclick: () => choose(one.number) }, `${one.number}. ${one.told}`);
  return [el("ol", { class: "choices", "aria-label": "Which one is meant?" }, ...candidates.map((one) => el("li", {}, row(one))))];
}

function claims(answer, open) {
  const rests = claimsOf(answer.evidence);
  if (!rests.length) return [];
  const buttons = rests.map((item) =>
    el("button", { type: "button", class: "ref", onclick: () => open(item.id) }, claimText(item)),
  );
  return [el("p", { class: "rests" }, "Rests on ", ...buttons)];
}

function credit(answer) {
  if (!answer.attribution) return [];
  const model = answer.model === "offline" ? "no language model" : answer.model;
  const source = [answer.provider, answer.map].filter(Boolean).join(" · ");
  return [el("p", { class: "credit" }, `${answer.attribution} (${source}; ${model})`)];
}
