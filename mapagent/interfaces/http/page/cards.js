// The places of an answer as cards, numbered like their markers; a way and a trip as one reads them.

import { el } from "./dom.js";
import { awayText, clockText, distanceText, durationText, kindText, modeText, nameText, openingText } from "./wording.js";

const FIRST = 8; // cards that are shown at once; on a phone, where the map comes below them:
const FIRST_ON_PHONE = 3;
const WALK_M = 2500; // nobody wants to be told to walk further without having asked
const MODES = { walking: "walk", bicycling: "bike", driving: "drive", transit: "transit" };
const MODE_ORDER = ["walking", "bicycling", "driving", "transit"];
const REACH = "10 min"; // what "nearby" means to most on foot

let shown = new Map(); // number → its card
let rest = null; // the button that shows the other cards

/**
 * The cards of an answer. `handlers`: light (a number, whether), select (a number), run (a program and what it asks, in
 * words), word (a beginning and an end of a question, to be filled in), here (whether it is known where the asker is),
 * mapOf (an answer: the map it comes from, if any).
 */
export function placesOf(answer, asked, { mapOf, ...others }) {
  const handlers = { ...others, map: mapOf(answer) };
  shown = new Map();
  rest = null;
  const cards = cardsOf(answer);
  const ways = answer.ways ?? [];
  if (cards.some((card) => card.stay)) return [trip(cards, ways, asked, handlers)];
  const parts = [];
  if (ways.length) parts.push(el("ul", { class: "ways", "aria-label": "Ways" }, ...ways.map((way) => el("li", { class: "way" }, ...wayLines(way, handlers)))));
  if (cards.length) parts.push(list(cards, asked, handlers));
  return parts;
}

/** The cards that are shown, with their numbers; the ends of a way that is shown are none of them. */
export function cardsOf(answer) {
  const ends = new Set((answer.ways ?? []).flatMap((way) => [way.origin.id, way.destination.id]));
  const cards = (answer.cards ?? []).filter((card) => card.stay || !ends.has(card.id));
  return cards.map((card, index) => ({ ...card, number: index + 1 }));
}

/** Lights the card of a marker, or lights it no more. */
export function lightCard(number, on) {
  shown.get(number)?.classList.toggle("on", on);
}

/** Brings the card of a marker into view and marks it alone. */
export function showCard(number) {
  const card = shown.get(number);
  if (!card) return;
  if (card.hidden) rest?.click();
  for (const each of shown.values()) each.classList.toggle("chosen", each === card);
  card.scrollIntoView({ block: "nearest" });
}

function list(cards, asked, handlers) {
  const first = matchMedia("(max-width: 760px)").matches ? FIRST_ON_PHONE : FIRST;
  const most = cards.length > first + 1 ? first : cards.length;
  const items = cards.map((card, index) => place(card, asked, handlers, index >= most));
  const all = el("ol", { class: "places", "aria-label": "Places" }, ...items);
  if (most === cards.length) return all;
  rest = el("button", { type: "button", class: "more-places" }, `Show all ${cards.length}`);
  rest.addEventListener("click", () => {
    const focused = document.activeElement === rest;
    for (const item of items) item.hidden = false;
    rest.remove();
    if (focused) items[most].querySelector("button").focus();
  });
  return el("div", { class: "places-part" }, all, rest);
}

function place(card, asked, handlers, hidden = false) {
  const name = nameText(card);
  const facts = [card.name && kindText(card.kind), awayText(card)].filter(Boolean).join(" · "); // its kind is all the name of one without
  const item = el(
    "li",
    { class: "place-card", "data-number": card.number, hidden },
    el("span", { class: "number", "aria-hidden": "true" }, String(card.number)),
    el(
      "div",
      { class: "place-facts" },
      card.part && el("p", { class: "place-part" }, card.part.replaceAll("_", " ")),
      el("h3", {}, el("button", { type: "button", class: "place-name", onclick: () => handlers.select(card.number) }, name)),
      card.begin && el("p", { class: "stay" }, stayText(card)),
      facts && el("p", { class: "place-line" }, facts),
      ...hours(card, asked),
      card.address && el("p", { class: "place-line" }, card.address),
      contact(card),
      actions(card, name, handlers),
    ),
  );
  for (const [event, on] of [["mouseenter", true], ["mouseleave", false], ["focusin", true], ["focusout", false]]) {
    item.addEventListener(event, () => {
      item.classList.toggle("on", on);
      handlers.light(card.number, on);
    });
  }
  item.addEventListener("click", (event) => event.target.closest("a, button, summary, details") || handlers.select(card.number));
  shown.set(card.number, item);
  return item;
}

function stayText({ begin, end }) {
  const stay = end ? ` (${durationText((Date.parse(end) - Date.parse(begin)) / 1000)})` : "";
  return end && end !== begin ? `${clockText(begin)}–${clockText(end)}${stay}` : clockText(begin);
}

/** What its hours say of now, and one tap away all of them. */
function hours(card, asked) {
  const now = card.begin ? null : openingText(card.opening, asked.at);
  if (!card.hours) return [];
  const lines = card.hours.split(";").map((line) => el("li", {}, line.trim()));
  const told = now ? el("span", { class: now.open ? "open" : "closed" }, capital(now.text)) : "Opening hours";
  return [el("details", { class: "hours" }, el("summary", {}, told), el("ul", {}, ...lines))];
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Phone and website; a source may write anything there, so that only what is a number or an address is a link. */
function contact({ phone, website }) {
  const number = phone?.split(/[;,]/)[0].replace(/\(0\)|[^\d+]/g, "");
  const site = address(website);
  const links = [
    number && /^\+?\d{3,}$/.test(number) ? el("a", { href: `tel:${number}` }, phone.split(/[;,]/)[0].trim()) : phone,
    site && el("a", { href: site.href, rel: "noreferrer noopener", target: "_blank" }, site.host.replace(/^www\./, "")),
  ].filter(Boolean);
  return links.length ? el("p", { class: "place-links" }, ...links) : null;
}

function address(text) {
  if (!text) return null;
  const first = text.split(";")[0].trim();
  const written = /^[a-z][a-z0-9+.-]*:/i.test(first) ? first : `https://${first}`;
  const read = URL.canParse(written) ? new URL(written) : null;
  return read && ["http:", "https:"].includes(read.protocol) ? read : null;
}

function actions(card, name, handlers) {
  if (card.id.startsWith("id:made:")) return null; // an area that a program made: only that program can name it
  const from = card.distance_from?.id && card.distance_from.id !== card.id ? card.distance_from : handlers.here() ? { id: "id:here", name: "your position" } : null;
  const mode = (card.distance_m ?? 0) > WALK_M ? "driving" : "walking";
  const buttons = [
    el("button", { type: "button", "aria-label": `Directions to ${name}`, onclick: () => (from ? way(from, { id: card.id, name }, mode, handlers) : handlers.word("How do I get from ", ` to ${name}?`)) }, "Directions"),
    card.kind && el("button", { type: "button", "aria-label": `More like ${name}`, onclick: () => alike(card, name, handlers) }, "More like this"),
    handlers.map?.routable ? el("button", { type: "button", "aria-label": `Within ${REACH} of ${name} on foot`, onclick: () => around(card, name, handlers) }, `Within ${REACH}`) : null,
    el("button", { type: "button", class: "to-map", "aria-label": `${name} on the map`, onclick: () => handlers.select(card.number, true) }, "Map"),
  ];
  return el("p", { class: "place-actions" }, ...buttons);
}

/** Asks for the way between two places. */
function way(from, to, mode, handlers) {
  handlers.run(`answer(travel(${operand(from)}, ${operand(to)}, "${MODES[mode]}"))`, `Way from ${from.name || "there"} to ${to.name || "there"} ${modeText(mode)}`);
}

/** Asks for its like around a place. */
function alike(card, name, handlers) {
  const kind = kindText(card.kind);
  handlers.run(`answer(places(${JSON.stringify(kind)}, near=${operand(card)})[:10])`, `More like ${name}: ${kind}`);
}

/** Asks how far one gets from a place on foot. */
function around(card, name, handlers) {
  handlers.run(`reached = reachable(${operand(card)}, "${REACH}", "walk")\nanswer(reached, size=reached.size)`, `What is within ${REACH} of ${name} on foot`);
}

/** A place as a program names it: where the asker is has a word of its own, and a mere position has no id. */
function operand({ id, name }) {
  if (id === "id:here") return "here";
  return JSON.stringify(id.startsWith("id:point:") ? name : id);
}

function wayLines(way_, handlers) {
  const measures = [way_.duration_s !== null && durationText(way_.duration_s), way_.distance_m !== null && distanceText(way_.distance_m)].filter(Boolean);
  const times = way_.depart_at && way_.arrive_at ? [`${clockText(way_.depart_at)}–${clockText(way_.arrive_at)}`] : [];
  const lines = [
    el("p", { class: "way-time" }, el("strong", {}, measures[0] ?? "no time known"), ` ${[...measures.slice(1), modeText(way_.mode), ...times].join(" · ")}`),
    way_.via && el("p", { class: "place-line" }, `via ${way_.via}`),
    way_.leg ? null : el("p", { class: "place-line" }, `${way_.origin.name || "there"} → ${way_.destination.name || "there"}`),
    ...steps(way_),
  ];
  const others = MODE_ORDER.filter((mode) => mode !== way_.mode && (mode !== "transit" || handlers.map?.timetable));
  if (!way_.leg && !way_.alternative && way_.origin.id && way_.destination.id) {
    lines.push(el("p", { class: "place-actions" }, ...others.map((mode) => el("button", { type: "button", onclick: () => way(way_.origin, way_.destination, mode, handlers) }, capital(modeText(mode))))));
  }
  return lines.filter(Boolean);
}

/** The steps, folded; those of public transport are what one wants to know of the way. */
function steps({ steps: told, mode }) {
  if (!told.length) return [];
  const rows = told.map((step) => el("li", {}, step.instruction, step.distance_m ? el("span", { class: "step-length" }, ` ${distanceText(step.distance_m)}`) : null, step.notes?.length ? el("span", { class: "step-notes" }, step.notes.join(" · ")) : null));
  return [el("details", { class: "steps", open: mode === "transit" }, el("summary", {}, `${told.length} steps`), el("ol", {}, ...rows))];
}

/** The stays in order, and between them the ways. */
function trip(cards, ways, asked, handlers) {
  const legs = new Map(ways.filter((each) => each.leg).map((each) => [each.leg, each]));
  const start = legs.get(1)?.origin;
  const stays = cards.filter((card) => card.stay);
  const leg = (number) => (legs.has(number) ? [el("li", { class: "leg" }, ...wayLines(legs.get(number), handlers))] : []);
  const starts = start && start.id !== stays[0].id; // else the first way begins at the first stay
  const rows = [
    ...(starts ? [el("li", { class: "leg-start" }, `From ${start.name || "there"}`), ...leg(1)] : []),
    ...stays.flatMap((card, index) => [place(card, asked, handlers), ...leg(index + (starts ? 2 : 1))]),
    ...cards.filter((card) => !card.stay).map((card) => place(card, asked, handlers)),
  ];
  return el("ol", { class: "places trip", "aria-label": "The trip" }, ...rows);
}
