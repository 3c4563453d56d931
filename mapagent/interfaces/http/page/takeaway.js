// An answer to take away: files of it, and a link that opens the same question.

import { getBlob } from "./api.js";
import { download, el } from "./dom.js";

const POSITION = /^(-?[\d.]+),(-?[\d.]+)$/;
const FORMATS = [
  ["geojson", "GeoJSON", () => true],
  ["gpx", "GPX", (features) => features.some((feature) => feature.geometry)],
  ["ics", "Calendar", (features) => features.some((feature) => feature.properties.role === "visit" && feature.properties.begin)],
  ["png", "Picture", (features) => features.some((feature) => feature.geometry)],
];

/** Buttons that save an answer, for all it has to see, and the link. */
export function takeaway(asked, answer, features, report) {
  const seen = answer.id && answer.status === "answered" && features.length > 0;
  const buttons = FORMATS.filter(([, , fits]) => seen && fits(features)).map(([ending, told]) =>
    el("button", { type: "button", "data-format": ending, onclick: () => save(`/api/answers/${answer.id}.${ending}`, `mapagent-${answer.id}.${ending}`, report) }, told),
  );
  const link = asked.question && !asked.program ? [el("a", { class: "link", href: linkTo(asked, answer) }, "Link to this question")] : [];
  if (!buttons.length && !link.length) return [];
  const saving = buttons.length ? [el("span", {}, "Save as "), ...buttons] : [];
  return [el("p", { class: "takeaway" }, ...saving, ...link)];
}

/** The page's address with a question in it; pictures and texts are not part of an address. */
function linkTo(asked, answer) {
  const told = new URLSearchParams({ question: asked.question });
  if (answer.map) told.set("map", answer.map);
  if (asked.near) told.set("near", `${asked.near.lat},${asked.near.lng}`);
  if (asked.at) told.set("at", asked.at);
  for (const option of asked.options ?? []) told.append("option", option);
  return `${location.origin}${location.pathname}?${told}${answer.id ? `#${answer.id}` : ""}`;
}

/** What an address asks: it is put into the form and not asked, for following a link must cost nobody anything. */
export function linked(search) {
  const told = new URLSearchParams(search);
  if (!told.get("question")) return null;
  const near = POSITION.exec(told.get("near") ?? "");
  return {
    question: told.get("question"),
    map: told.get("map"),
    near: near ? { lat: Number(near[1]), lng: Number(near[2]) } : null,
    at: told.get("at"),
    options: told.getAll("option"),
  };
}

async function save(path, name, report) {
  report(null);
  try {
    download(await getBlob(path), name);
  } catch (problem) {
    report(problem);
  }
}
