// Amounts, moments and opening hours in a few words.

const HOUR_MIN = 60;
const DAY_MS = 86_400_000;
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MODES = { walking: "on foot", bicycling: "by bicycle", driving: "by car", transit: "by public transport" };

export function distanceText(metres) {
  if (metres < 1000) return `${Math.round(metres)} m`;
  return `${(metres / 1000).toFixed(metres < 10_000 ? 1 : 0)} km`;
}

export function durationText(seconds) {
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < HOUR_MIN) return `${minutes} min`;
  return [`${Math.floor(minutes / HOUR_MIN)} h`, minutes % HOUR_MIN ? `${minutes % HOUR_MIN} min` : ""].join(" ").trim();
}

export function modeText(mode) {
  return MODES[mode] ?? mode;
}

export function kindText(kind) {
  return (kind ?? "").replaceAll("_", " ");
}

/** A place's name; what has none is called by its kind. */
export function nameText({ name, kind }) {
  return name || `unnamed ${kindText(kind) || "place"}`;
}

/** The time of day of an ISO moment, on the clocks of the place, which its offset tells. */
export function clockText(iso) {
  return iso.slice(11, 16).replace(/^0/, "");
}

function dayText(iso) {
  return DAYS[new Date(`${iso.slice(0, 10)}T00:00Z`).getUTCDay()];
}

/**
 * Whether a place is open: { text, open }, or null where that is not known or was so at another time.
 * `asked`: the moment that the question is about, null for now.
 */
export function openingText(opening, asked = null) {
  if (!opening || (!asked && opening.until && Date.parse(opening.until) <= Date.now())) return null;
  const { open, at, until } = opening;
  const soon = until && Date.parse(until) - Date.parse(at) < DAY_MS;
  const when = until && [soon && until.slice(0, 10) === at.slice(0, 10) ? "" : dayText(until), clockText(until)].filter(Boolean).join(" ");
  const far = until && Date.parse(until) - Date.parse(at) > 6 * DAY_MS;
  let text = open ? "open" : "closed";
  if (open && until && !far) text = `open until ${when}`;
  else if (open) text = "open all hours";
  else if (until && !far) text = `closed, opens ${when}`;
  else if (until) text = `closed, opens on ${until.slice(0, 10)}`;
  return { text: asked ? `${text} (${dayText(at)} ${clockText(at)})` : text, open };
}

/** How far a place is, and from where; "" where that is not known. */
export function awayText({ distance_m: metres, distance_from: from }) {
  if (metres === null || metres === undefined) return "";
  return from?.name ? `${distanceText(metres)} from ${from.name}` : `${distanceText(metres)} away`;
}
