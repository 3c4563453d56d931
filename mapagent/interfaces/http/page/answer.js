// The answer in plain words, what was understood, what must be said with it; its places and ways stand beneath.

import { cardsOf, placesOf } from "./cards.js";
import { byId, el } from "./dom.js";
import { awayText, nameText } from "./wording.js";

const STATUS = {
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
 * Shows an answer, and beneath it what else is given; `choose` is called with the number of the place that an ambiguous
 * name means; `handlers`: of the cards.
 */
export function showAnswer(asked, answer, choose, handlers, beneath = []) {
  const badge = STATUS[answer.status] ?? (answer.status === "answered" ? null : [answer.status, "fair"]);
  const text = headline(answer);
  byId("answer-body").replaceChildren(
    el("p", { class: "asked" }, asked.question),
    ...(badge ? [el("p", { class: `badge ${badge[1]}` }, badge[0])] : []),
    ...(text ? [el("p", { class: text.length > LONG ? "answer-text long" : "answer-text" }, text)] : []),
    ...(reason(answer) ? [el("p", { class: "reason" }, reason(answer))] : []),
    ...choices(answer.candidates, choose, handlers.light),
    ...parts(answer.parts ?? {}),
    ...placesOf(answer, asked, handlers),
    ...(answer.understood ? [el("p", { class: "understood" }, "I understood: ", answer.understood)] : []),
    ...(answer.explanation ? [el("p", { class: "explanation" }, answer.explanation)] : []),
    ...answer.warnings.map((warning) => el("p", { class: "warning", role: "note" }, warning)),
    ...beneath,
    ...credit(answer),
  );
}

/** The answer in a line: one place with how far it is, of several their number, for each has a card. */
function headline(answer) {
  if (answer.option) return `${answer.option}. ${answer.answer}`;
  const cards = cardsOf(answer).filter((card) => !card.part && !card.stay);
  const names = cards.map(nameText);
  if (!cards.length || names.join(", ") !== answer.answer) return answer.answer;
  if (cards.length === 1) return [names[0], awayText(cards[0])].filter(Boolean).join(", ");
  const [nearest] = cards.toSorted((one, other) => one.distance_m - other.distance_m);
  const alike = cards.every((card) => card.distance_m !== null && card.distance_from.id === nearest.distance_from.id);
  return alike ? `${cards.length} places, the nearest ${awayText(nearest)}` : `${cards.length} places`;
}

/** Why there is no answer; the places that a name may mean stand below it as choices. */
function reason({ candidates, reason }) {
  return candidates.length ? `“${candidates[0].asked}” may be any of ${candidates.length} places. Which one is meant?` : reason;
}

/** What a name may mean, to be clicked; pointed at, its marker lights up. */
function choices(candidates, choose, light) {
  if (!candidates.length) return [];
  const row = (one) => {
    const lit = (on) => () => light(one.number, on);
    const pointed = { onmouseenter: lit(true), onmouseleave: lit(false), onfocus: lit(true), onblur: lit(false) };
    return el("button", { type: "button", class: "choice", onclick: () => choose(one.number), ...pointed }, `${one.number}. ${one.told}`);
  };
  return [el("ol", { class: "choices", "aria-label": "Which one is meant?" }, ...candidates.map((one) => el("li", {}, row(one))))];
}

/** The further things that were asked for, by name. */
function parts(told) {
  const rows = Object.entries(told).map(([name, part]) =>
    el("div", {}, el("dt", {}, name.replaceAll("_", " ")), el("dd", { class: part.known ? null : "unknown" }, part.text)),
  );
  return rows.length ? [el("dl", { class: "parts" }, ...rows)] : [];
}

function credit(answer) {
  if (!answer.attribution) return [];
  const model = answer.model === "offline" ? "no language model" : answer.model;
  const source = [answer.provider, answer.map].filter(Boolean).join(" · ");
  return [el("p", { class: "credit" }, `${answer.attribution} (${source}; ${model})`)];
}
