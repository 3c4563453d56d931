// The question and what is asked along with it.

import { byId, el } from "./dom.js";
import { watchPictures } from "./picture.js";

const POSITION = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/;

/** Makes the form work. `handlers`: submit, stop, pick, moved (a new "here", or null), problem (a sentence). */
export function startForm(handlers) {
  const state = { picture: null, busy: false, pictureBytes: Infinity, suggestion: byId("question").placeholder, small: false };
  const chips = () => showChips(state, (name) => clear(name));

  const clear = (name) => {
    if (name === "picture") {
      state.picture = null;
      byId("picture").value = "";
    } else {
      byId(name).value = "";
    }
    if (name === "here") handlers.moved(null);
    chips();
    byId("question").focus();
  };

  watchPictures(
    () => state.pictureBytes,
    (picture) => {
      state.picture = picture;
      chips();
      byId("question").focus();
    },
    handlers.problem,
  );
  for (const name of ["options", "now"]) byId(name).addEventListener("input", chips);
  byId("here").addEventListener("change", () => {
    handlers.moved(position());
    chips();
  });
  byId("pick").addEventListener("click", () => {
    const on = byId("pick").getAttribute("aria-pressed") !== "true";
    byId("pick").setAttribute("aria-pressed", String(on));
    handlers.pick(on);
  });
  byId("locate").addEventListener("click", () => locate(handlers));
  byId("question").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!state.busy) byId("ask-form").requestSubmit();
  });
  byId("ask-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (state.busy) handlers.stop();
    else if (byId("here").value && !position()) handlers.problem(`“Here” is not latitude, longitude in degrees, such as ${byId("here").placeholder}.`);
    else {
      byId("more").open = false; // the chips tell what goes along, and the answer has the room
      handlers.submit(question(state));
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && state.busy) handlers.stop();
  });

  return {
    /** Turns the Ask button into Stop, and back. */
    busy(on) {
      state.busy = on;
      byId("submit").textContent = on ? "Stop" : "Ask";
      byId("question").required = !on;
    },
    here: position,
    /** What the form asks now. */
    asked: () => question(state),
    /** What goes along with a program: where the asker is, and the moment. */
    circumstances() {
      const { near, at, provider } = question(state);
      return Object.fromEntries(Object.entries({ near, at, provider }).filter(([, value]) => value));
    },
    /** Begins a question and lets the asker fill in the middle. */
    word(begin, end) {
      const field = byId("question");
      field.value = begin + end;
      field.focus();
      field.setSelectionRange(begin.length, begin.length);
    },
    /** Shows how a position is written by the middle of an area: west, south, east, north. */
    within([west, south, east, north]) {
      byId("here").placeholder = `${((south + north) / 2).toFixed(4)}, ${((west + east) / 2).toFixed(4)}`;
    },
    /** What may be asked of the map that is shown. */
    suggest(text) {
      state.suggestion = text;
      this.small(state.small);
    },
    /** Whether there is an answer, after which the form is small. */
    small(on) {
      state.small = on;
      byId("question").placeholder = on ? "Ask on, or something else" : state.suggestion;
    },
    /** Makes room for the next question. */
    clear() {
      byId("question").value = "";
    },
    setHere(place) {
      byId("here").value = `${place.lat.toFixed(5)}, ${place.lng.toFixed(5)}`;
      byId("pick").setAttribute("aria-pressed", "false");
      chips();
    },
    /** Puts a question into the form, with what was asked along with it. */
    fill(asked) {
      byId("question").value = asked.program ? "" : asked.question; // the words of a program ask nothing
      byId("options").value = (asked.options ?? []).join("\n");
      byId("here").value = asked.near ? `${asked.near.lat}, ${asked.near.lng}` : "";
      byId("now").value = asked.at ? asked.at.slice(0, 16) : "";
      handlers.moved(position());
      chips();
    },
    offer(setup) {
      state.pictureBytes = setup.picture_bytes;
      fillSelect("model", setup.models);
      fillSelect("provider", setup.providers.map((provider) => provider.name));
    },
  };
}

function question(state) {
  const asked = { question: byId("question").value };
  const options = byId("options").value.split("\n").map((line) => line.trim()).filter(Boolean);
  if (options.length) asked.options = options;
  if (state.picture) asked.image = state.picture.url;
  if (position()) asked.near = position();
  if (byId("now").value) asked.at = byId("now").value;
  for (const name of ["model", "provider"]) if (byId(name).value) asked[name] = byId(name).value;
  return asked;
}

function position() {
  const found = POSITION.exec(byId("here").value);
  if (!found) return null;
  const [lat, lng] = [Number(found[1]), Number(found[2])];
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
}

function locate(handlers) {
  if (!navigator.geolocation) {
    handlers.problem("This browser does not tell its position.");
    return;
  }
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => handlers.located({ lat: coords.latitude, lng: coords.longitude }),
    () => handlers.problem("This browser does not tell its position. Pick a point on the map instead."),
  );
}

function showChips(state, clear) {
  const options = byId("options").value.split("\n").filter((line) => line.trim()).length;
  const parts = [
    state.picture && ["picture", state.picture.name, el("img", { src: state.picture.url, alt: "" })],
    options && ["options", `${options} ${options === 1 ? "option" : "options"}`],
    byId("here").value && ["here", `here: ${byId("here").value}`],
    byId("now").value && ["now", `now: ${byId("now").value.replace("T", " ")}`],
  ].filter(Boolean);
  byId("chips").replaceChildren(
    ...parts.map(([name, text, image]) =>
      el(
        "li",
        { class: "chip" },
        image ?? null,
        el("span", {}, text),
        el("button", { type: "button", "aria-label": `Remove ${text}`, onclick: () => clear(name) }, "×"),
      ),
    ),
  );
}

function fillSelect(name, values) {
  byId(`${name}-field`).hidden = values.length < 2;
  byId(name).replaceChildren(...values.map((value) => el("option", { value }, value)));
}
