// The map: MapLibre GL JS over this server's own tiles, loaded after the page has been painted.

import { authorization } from "./api.js";
import { byId, el } from "./dom.js";
import { boundsOf, CHOSEN, drawnLayers, FOUND, MAIN, NOTHING } from "./drawing.js";
import { about, Pins } from "./pins.js";
import { theme } from "./theme.js";

const CLICKABLE = ["answer", "chosen-point", "place", "candidate"];
const MOVE_MS = 500;
const FADE_MS = 200;
const EMPTY_STYLE = { version: 8, sources: {}, layers: [] };

/**
 * Returns a map that loads by itself; `handlers`: picked (a place), chosen (an evidence id), lit and selected (the number
 * of a place that is pointed at or clicked). What it is told to show
 * meanwhile it shows when it has loaded, and where it cannot load it says so: without a map the rest works.
 */
export function startMap(handlers) {
  const view = new MapView(handlers);
  view.load().catch((error) => view.fail(error));
  return view;
}

class MapView {
  constructor(handlers) {
    this.handlers = handlers;
    this.record = null;
    this.features = [];
    this.places = [];
    this.at = null; // the moment that was asked about
    this.pins = null;
    this.chosen = null;
    this.here = null;
    this.failure = "";
    this.picking = false;
    this.styled = false; // nothing can be added to a style that is still loading
  }

  async load() {
    document.head.append(el("link", { rel: "stylesheet", href: "/page/vendor/maplibre-gl.css" }));
    this.library = await import("./vendor/maplibre-gl.mjs").catch(() => {
      throw new Error("its library is missing: run scripts/vendor-web");
    });
    this.map = new this.library.Map({
      container: "map",
      style: EMPTY_STYLE,
      attributionControl: { compact: false },
      transformRequest: (url) => ({ url, headers: authorization() }),
      maxZoom: 20,
      fadeDuration: calm() ? 0 : FADE_MS,
    });
    this.pins = new Pins(this.library, this.map, this.handlers);
    this.map.addControl(new this.library.NavigationControl(), "top-right");
    this.map.addControl(new this.library.ScaleControl());
    this.map.getCanvas().setAttribute("aria-label", "Map; arrow keys move it, plus and minus zoom");
    this.map.on("click", (event) => this.clicked(event));
    this.map.on("idle", () => (byId("map").dataset.settled = "true"));
    this.map.on("style.load", () => {
      this.styled = true;
      this.redraw();
    });
    this.catchUp();
  }

  /** Says so for good: without the library nothing is drawn any more. */
  fail(error) {
    this.failure = `The map cannot be drawn here (${error.message}). Answers work all the same.`;
    this.note("");
  }

  /** Says something over the map; an empty text takes it away. */
  note(text) {
    const told = [this.failure, text].filter(Boolean).join(" ");
    byId("map-note").textContent = told;
    byId("map-note").hidden = !told;
  }

  /** Shows what was asked for while the library was on its way. */
  catchUp() {
    this.pick(this.picking);
    this.setHere(this.here);
    if (this.record) this.showMap(this.record);
    this.pins.show(this.places, this.at);
    const marked = this.marked();
    this.moveTo(marked.length ? marked : mainOf(this.features));
  }

  /** Shows a map of the server: its base map, and its area. */
  showMap(record) {
    this.record = record;
    if (!this.map) return;
    this.restyle();
    this.map.fitBounds(record.bounds, { padding: 24, animate: false });
  }

  /** Draws the base map anew, in the colours of the theme. */
  restyle() {
    if (!this.map) return;
    const style = this.record ? `${location.origin}${this.record.style}?theme=${theme()}` : EMPTY_STYLE;
    this.styled = false;
    this.map.setStyle(style, { diff: false });
  }

  /** Draws features over the base map and moves there. */
  draw(features) {
    this.features = features;
    this.chosen = null;
    if (!this.map) return;
    byId("map").dataset.settled = "false";
    this.popup?.remove();
    this.redraw();
    this.moveTo(mainOf(features));
  }

  /** Marks the places of an answer by their numbers; `at` is the moment that was asked about. */
  showPlaces(places, at) {
    this.places = places;
    this.at = at;
    this.pins?.show(places, at);
  }

  /** Lights the marker of a place, or lights it no more. */
  light(number, on) {
    this.pins?.light(number, on);
  }

  /** Opens what is known of a place over its marker. */
  select(number) {
    this.popup?.remove();
    this.pins?.open(number);
  }

  /** Marks what belongs to a piece of evidence, or marks it no more. */
  choose(id, on) {
    if (!on && this.chosen !== id) return;
    this.chosen = on ? id : null;
    if (!this.map) return;
    this.redraw();
    this.moveTo(this.marked());
  }

  moveTo(features) {
    const bounds = boundsOf(features);
    if (bounds) this.map.fitBounds(bounds, { padding: 64, maxZoom: 17, duration: calm() ? 0 : MOVE_MS });
  }

  marked() {
    return this.features.filter((feature) => this.chosen && feature.properties.evidence === this.chosen);
  }

  /** Puts the marker for "here", or takes it away. */
  setHere(place) {
    this.here = place;
    this.marker?.remove();
    this.marker = null;
    if (!this.map || !place) return;
    this.marker = new this.library.Marker({ color: "#c2185b", draggable: true }).setLngLat(place).addTo(this.map);
    this.marker.getElement().setAttribute("aria-label", "Here");
    this.marker.on("dragend", () => this.handlers.picked(this.marker.getLngLat()));
  }

  /** Lets the next click on the map choose "here". */
  pick(on) {
    this.picking = on;
    if (this.map) this.map.getCanvas().classList.toggle("picking", on);
  }

  redraw() {
    if (!this.styled) return;
    this.put(FOUND, this.features);
    this.put(CHOSEN, this.marked());
    for (const layer of drawnLayers(theme())) if (!this.map.getLayer(layer.id)) this.map.addLayer(layer);
  }

  put(source, features) {
    const data = { ...NOTHING, features };
    const known = this.map.getSource(source);
    if (known) known.setData(data);
    else this.map.addSource(source, { type: "geojson", data });
    byId("map").dataset[source] = features.length; // a canvas tells nobody what is on it
  }

  clicked(event) {
    if (this.picking) {
      this.pick(false);
      this.handlers.picked(event.lngLat);
      return;
    }
    const layers = CLICKABLE.filter((id) => this.map.getLayer(id));
    const [found] = layers.length ? this.map.queryRenderedFeatures(event.point, { layers }) : [];
    if (!found) return;
    const { evidence } = found.properties;
    this.popup?.remove();
    this.pins.close();
    this.popup = new this.library.Popup({ maxWidth: "260px" })
      .setLngLat(found.geometry.coordinates)
      .setDOMContent(about(found.properties))
      .addTo(this.map);
    this.handlers.chosen(evidence);
  }
}

/** What an answer is about, without all that was found on the way to it; all, where that is nothing. */
function mainOf(features) {
  const main = features.filter((feature) => MAIN.includes(feature.properties.role));
  return main.length ? main : features;
}

function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
