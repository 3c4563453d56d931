// The facts behind an answer. A claim names the facts it was derived from; each of them opens and shows on the map.

import { byId, el } from "./dom.js";

const KINDS = {
  place: "Place",
  nearby: "Search",
  routes: "Route",
  travel: "Travel",
  reach: "Reach",
  departures: "Departures",
  note: "Note",
  computed: "Computed",
  picture: "Picture",
  failure: "Not found out",
};

const LONGEST_CLAIM = 60;

/** What the answer itself rests on, each claim opening its fact. */
function rests(evidence) {
  const claims = claimsOf(evidence).filter((item) => item.kind === "computed");
  if (!claims.length) return []; // else all facts stand below anyway
  const buttons = claims.map((item) => el("button", { type: "button", class: "ref", onclick: () => openFact(item.id) }, claimText(item)));
  return [el("p", { class: "rests" }, "Rests on ", ...buttons)];
}

/** The claims an answer itself rests on: what the last step that computed anything found, else all facts. */
function claimsOf(evidence) {
  const computed = evidence.filter((item) => item.kind === "computed");
  const last = computed.filter((item) => stepOf(item) === stepOf(computed.at(-1)));
  return last.length ? last : evidence;
}

/** Ids of facts are their step's, a dot and a number. */
function stepOf(item) {
  return item.id.slice(0, item.id.lastIndexOf("."));
}

/** What a claim says, in a few words: a computed fact without the formula in brackets behind it. */
function claimText(item) {
  const text = item.kind === "computed" ? item.fact.split(" [", 1)[0] : item.fact;
  return text.length > LONGEST_CLAIM ? `${text.slice(0, LONGEST_CLAIM)}…` : text;
}

/** Shows all facts; `chosen` is called with the id of the one that is opened (null when it is closed). */
export function showEvidence(evidence, drawn, chosen) {
  byId("evidence-card").hidden = !evidence.length;
  byId("evidence").replaceChildren(...rests(evidence), el("ul", { class: "facts" }, ...evidence.map((item) => fact(item, drawn, chosen))));
}

/** Opens a fact and brings it into view. */
export function openFact(id) {
  const found = document.getElementById(factId(id));
  if (!found) return;
  byId("evidence-card").open = true;
  found.open = true;
  found.querySelector("summary").focus();
  found.scrollIntoView({ block: "nearest" });
}

function factId(id) {
  return `fact-${id}`;
}

function fact(item, drawn, chosen) {
  const details = el(
    "details",
    { id: factId(item.id), class: `fact ${item.kind}` },
    el(
      "summary",
      {},
      el("span", { class: "kind" }, KINDS[item.kind] ?? item.kind),
      el("span", { class: "short" }, item.fact),
      el("span", { class: "fact-id" }, item.id),
    ),
    el("p", { class: "full" }, item.fact),
    el("p", { class: "source" }, `From ${[item.tool, item.provider].filter(Boolean).join(" · ")}`),
    ...basis(item),
    ...(drawn.has(item.id) ? [el("p", { class: "source" }, "Shown on the map.")] : []),
  );
  details.addEventListener("toggle", () => chosen(item.id, details.open));
  return el("li", {}, details);
}

function basis(item) {
  if (!item.derived_from.length) return [];
  const buttons = item.derived_from.map((id) =>
    el("button", { type: "button", class: "ref", onclick: () => openFact(id) }, id),
  );
  return [el("p", { class: "source" }, "Derived from ", ...buttons)];
}
