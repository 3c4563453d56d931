// How what was found is drawn: MapLibre layers over a GeoJSON source, in the order they are painted.

export const FOUND = "found";
export const CHOSEN = "chosen";
export const MAIN = ["answer", "visit", "choice", "route", "travel", "circle", "anchor", "shape", "frame"]; // roles to be seen at once
export const NOTHING = { type: "FeatureCollection", features: [] };

const role = (...roles) => ["in", ["get", "role"], ["literal", roles]];
const isArea = ["in", ["geometry-type"], ["literal", ["Polygon", "MultiPolygon"]]];
const isPoint = ["==", ["geometry-type"], "Point"];
const COLOURS = {
  light: { accent: "#0b5f59", route: "#1d63c4", other: "#7d93b5", candidate: "#b4501e", halo: "#ffffff", chosen: "#c2185b", text: "#14302e" },
  dark: { accent: "#5cd6c8", route: "#6fb1ff", other: "#64789a", candidate: "#ff9d66", halo: "#101418", chosen: "#ff7fb0", text: "#e8fffb" },
};

/** The layers for a theme. */
export function drawnLayers(theme) {
  const colour = COLOURS[theme];
  return [
    { id: "circle", type: "fill", source: FOUND, filter: role("circle"), paint: { "fill-color": colour.accent, "fill-opacity": 0.09 } },
    { id: "circle-line", type: "line", source: FOUND, filter: role("circle"), paint: { "line-color": colour.accent, "line-width": 1.5, "line-dasharray": [3, 2] } },
    { id: "shape", type: "fill", source: FOUND, filter: ["all", role("shape"), isArea], paint: { "fill-color": colour.accent, "fill-opacity": 0.12 } },
    { id: "shape-line", type: "line", source: FOUND, filter: role("shape"), paint: { "line-color": colour.accent, "line-width": 2.5 } },
    { id: "frame", type: "line", source: FOUND, filter: role("frame"), paint: { "line-color": colour.candidate, "line-width": 2.5 } },
    line("alternative", colour.other, 4, 0.8),
    line("route", colour.route, 5, 0.95),
    { ...line("travel", colour.route, 2.5, 0.8), paint: { "line-color": colour.route, "line-width": 2.5, "line-dasharray": [2, 2] } },
    point("candidate", role("candidate", "label"), 5, colour.candidate, colour.halo),
    point("place", role("place", "anchor"), 7, colour.accent, colour.halo),
    { id: "chosen-line", type: "line", source: CHOSEN, filter: ["!", isPoint], paint: { "line-color": colour.chosen, "line-width": 5, "line-opacity": 0.85 } },
    { ...point("chosen-point", isPoint, 8, colour.chosen, colour.halo), source: CHOSEN },
    point("answer", role("answer", "visit"), 9, colour.chosen, colour.halo),
    name("candidate-name", role("candidate", "label"), 11, colour),
    name("place-name-found", role("place", "anchor", "answer", "visit"), 13, colour),
  ];
}

function line(what, colour, width, opacity) {
  return {
    id: what,
    type: "line",
    source: FOUND,
    filter: role(what),
    layout: { "line-cap": "round", "line-join": "round" },
    paint: { "line-color": colour, "line-width": width, "line-opacity": opacity },
  };
}

function point(id, filter, radius, colour, halo) {
  return {
    id,
    type: "circle",
    source: FOUND,
    filter,
    paint: { "circle-radius": radius, "circle-color": colour, "circle-stroke-color": halo, "circle-stroke-width": 2 },
  };
}

function name(id, filter, size, colour) {
  return {
    id,
    type: "symbol",
    source: FOUND,
    filter,
    layout: { "text-field": ["get", "name"], "text-font": ["sans-serif"], "text-size": size, "text-offset": [0, 1.1], "text-anchor": "top", "text-max-width": 9, "text-optional": true },
    paint: { "text-color": colour.text, "text-halo-color": colour.halo, "text-halo-width": 1.8 },
  };
}

/** West, south, east, north of all features, or null. */
export function boundsOf(features) {
  let bounds = null;
  const add = ([lng, lat]) => {
    bounds = bounds ? [Math.min(bounds[0], lng), Math.min(bounds[1], lat), Math.max(bounds[2], lng), Math.max(bounds[3], lat)] : [lng, lat, lng, lat];
  };
  const walk = (coordinates) => (typeof coordinates[0] === "number" ? add(coordinates) : coordinates.forEach(walk));
  for (const feature of features) walk(feature.geometry.coordinates);
  return bounds;
}
