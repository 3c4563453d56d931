// The numbered markers of an answer's places. Cards are their way for keyboards, so that markers are no tab stops.

import { el } from "./dom.js";
import { awayText, kindText, nameText, openingText } from "./wording.js";

/** Markers on a map; `handlers`: lit (a number, whether), selected (a number). */
export class Pins {
  constructor(library, map, handlers) {
    this.library = library;
    this.map = map;
    this.handlers = handlers;
    this.pins = new Map();
    this.popup = null;
  }

  /** Shows these places instead of the others; `at` is the moment that was asked about. */
  show(cards, at) {
    this.close();
    for (const pin of this.pins.values()) pin.marker.remove();
    this.pins.clear();
    for (const card of cards) if (card.lat !== null && card.lng !== null) this.pins.set(card.number, this.pin(card, at));
  }

  pin(card, at) {
    const face = el("span", { class: "pin-face" }, String(card.number));
    const element = el("button", { type: "button", class: "pin", tabindex: -1, "data-number": card.number, "aria-label": `${card.number}. ${nameText(card)}` }, face);
    element.addEventListener("mouseenter", () => this.both(card.number, true));
    element.addEventListener("mouseleave", () => this.both(card.number, false));
    element.addEventListener("click", (event) => {
      event.stopPropagation(); // the map beneath was not meant
      this.open(card.number);
      this.handlers.selected(card.number);
    });
    const marker = new this.library.Marker({ element }).setLngLat([card.lng, card.lat]).addTo(this.map);
    return { marker, element, card, at };
  }

  both(number, on) {
    this.light(number, on);
    this.handlers.lit(number, on);
  }

  light(number, on) {
    this.pins.get(number)?.element.classList.toggle("on", on);
  }

  /** Opens what is known of a place over its marker, and moves there if it cannot be seen. */
  open(number) {
    const pin = this.pins.get(number);
    if (!pin) return;
    this.close();
    for (const each of this.pins.values()) each.element.classList.toggle("chosen", each === pin);
    const at = pin.marker.getLngLat();
    if (!this.map.getBounds().contains(at)) this.map.panTo(at, { animate: false });
    this.popup = new this.library.Popup({ maxWidth: "260px", offset: 16, focusAfterOpen: false }).setLngLat(at).setDOMContent(about(pin.card, pin.at)).addTo(this.map);
  }

  close() {
    this.popup?.remove();
    this.popup = null;
  }
}

/** What a popup says of a place: its name, kind, whether it is open, how far it is, where. */
export function about(card, at = null) {
  const now = openingText(card.opening, at)?.text ?? card.hours;
  const lines = [kindText(card.kind), now, awayText(card), card.address].filter(Boolean);
  return el("div", { class: "popup" }, el("strong", {}, nameText(card)), ...lines.map((text) => el("p", {}, text)));
}
