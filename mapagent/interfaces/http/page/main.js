// Puts the page together: the form asks, events fill in plan, evidence and map, the answer ends it.

import { ask, getJson, remove } from "./api.js";
import { showAccount } from "./account.js";
import { awaitAnswer, showAnswer } from "./answer.js";
import { cardsOf, lightCard, showCard } from "./cards.js";
import { announce, byId, el } from "./dom.js";
import { openFact, showEvidence } from "./evidence.js";
import { startForm } from "./form.js";
import { startHistory } from "./history.js";
import { startMap } from "./mapview.js";
import { awaitPlan, drawPlan } from "./plan.js";
import { showProgram, showWrongProgram, startProgram } from "./program.js";
import { linked, takeaway } from "./takeaway.js";
import { startTheme } from "./theme.js";
import { startThread } from "./thread.js";

const ID = /^#([0-9a-f]{16})$/;

let setup = { maps: [], providers: [], models: [], default_map: null };
let running = null;
let turn = 0; // counts what was asked and reopened: the last one is shown, whichever comes first
let conversation = null; // its id: who has it may go on with it
let current = null; // the turn that is shown
const view = startMap({ picked: here, chosen: openedFact, lit: lightCard, selected: showCard });
const FOLDS = ["evidence-card", "plan-card", "program-card", "account-card"];

const form = startForm({
  submit: run,
  stop: () => running?.abort(),
  pick: (on) => view.pick(on),
  moved: (place) => view.setHere(place),
  located: (place) => here(place),
  problem: (message) => alertUser({ message, remedy: "" }),
});

const thread = startThread({ show, anew });

/** What is clicked on the map is found among the facts, if those are being read. */
function openedFact(id) {
  if (byId("evidence-card").open) openFact(id);
}

function here(place) {
  form.setHere(place);
  view.setHere(place);
}

function alertUser(problem) {
  const box = byId("alert");
  box.replaceChildren();
  if (!problem) return;
  box.append(el("div", { class: "problem" }, el("p", {}, problem.message), ...(problem.remedy ? [el("p", { class: "remedy" }, problem.remedy)] : [])));
}

/** Shows or hides the answer and all that belongs to it; with it the form becomes small. */
function showResults(on) {
  byId("answer").hidden = !on;
  byId("results").hidden = !on;
  document.body.classList.toggle("answered", on);
  form.small(on);
}

/** Runs a program as the next turn of the conversation. */
function runProgram(program, title, circumstances = form.circumstances()) {
  if (running) return;
  run({ ...circumstances, program, question: title });
}

/** Runs a program that was edited, with what the question it was made of came along with. */
function runEdited(program) {
  const { near, at, provider, options } = current?.asked ?? {};
  const along = Object.fromEntries(Object.entries({ near, at, provider, options }).filter(([, value]) => value));
  runProgram(program, current?.asked.question ?? "A program", along);
}

/** Asks and shows how it goes. */
async function run(question) {
  const asked = { ...question, ...(chosenMap() ? { map: chosenMap() } : {}), ...(conversation ? { conversation } : {}) };
  const own = (turn += 1);
  const before = current;
  running = new AbortController();
  form.busy(true);
  alertUser(null);
  if (view.record) view.note("");
  begin(question.question);
  const state = { asked, plan: null, evidence: new Map(), features: new Map() };
  try {
    for await (const { name, data } of ask(asked, running.signal)) FOLLOW[name]?.(state, data);
  } catch (problem) {
    if (own === turn && problem.code === "program" && before) wrongProgram(before, question.program, problem);
    else if (own === turn) ended(state, problem);
  } finally {
    running = null;
    form.busy(false);
  }
}

function begin(question) {
  byId("welcome").hidden = true;
  showResults(true);
  for (const name of FOLDS) {
    byId(name).hidden = name !== "plan-card";
    byId(name).open = name === "plan-card"; // while it is being worked out
  }
  current = null;
  awaitAnswer(question);
  awaitPlan();
  view.draw([]);
  view.showPlaces([], null);
  announce("Asking");
}

function ended(state, problem) {
  const stopped = problem.name === "AbortError";
  showResults(Boolean(state.plan)); // before there is a plan, the message says it all
  byId("welcome").hidden = Boolean(state.plan);
  state.plan?.stopped();
  byId("answer-body").replaceChildren(el("p", { class: "badge bad" }, stopped ? "Stopped" : "No answer"));
  if (stopped) announce("Stopped");
  else if (problem.code === "unknown_conversation") lost();
  else alertUser(problem);
}

/** A program that cannot be run: what was shown before stays, with the program to be mended. */
function wrongProgram(before, text, problem) {
  show(before);
  showWrongProgram(text, problem);
  announce(`${problem.message} ${problem.remedy}`);
}

/** The server has let the conversation go: what a follow-up refers to is not guessed. */
function lost() {
  conversation = null;
  thread.clear();
  alertUser({ message: "This conversation is no longer kept.", remedy: "Ask again: a new one begins, so name what the question refers to." });
}

const FOLLOW = {
  plan(state, data) {
    state.plan = drawPlan(data.steps);
    announce(`The plan has ${data.steps.length} steps`);
  },
  step_started: (state, data) => state.plan.started(data.id),
  evidence: (state, data) => collect(state, data),
  step_finished(state, data) {
    collect(state, data);
    state.plan.finished(data.id, data.failed, data.items.length);
  },
  answer: (state, data) => answered({ asked: state.asked, answer: data, features: data.features }, state.plan),
};

/** A turn of the conversation: its question goes from the field, unless it may have to be worded otherwise. */
function answered(turn, plan) {
  if (turn.answer.status !== "answered") plan?.unticked();
  conversation = turn.answer.conversation ?? conversation;
  thread.add(turn);
  if (!turn.asked.program && ["answered", "ambiguous"].includes(turn.answer.status)) form.clear();
  thread.mark(turn);
  finish(turn);
}

/** Shows a turn again. */
function show(shown) {
  turn += 1;
  running?.abort();
  alertUser(null);
  begin(shown.asked.question);
  drawEnded(shown.answer);
  thread.mark(shown);
  finish(shown);
}

/** The plan of a run that is over. */
function drawEnded(answer) {
  drawPlan(answer.plan).all(answer.status === "answered" ? "done" : "ended");
}

/** Ends the conversation, here and on the server, and makes room for another one. */
function anew() {
  turn += 1;
  running?.abort();
  const ended = conversation;
  conversation = null;
  thread.clear();
  alertUser(null);
  form.clear();
  showResults(false);
  current = null;
  byId("welcome").hidden = !byId("examples").childElementCount;
  view.draw([]);
  view.showPlaces([], null);
  if (view.record) view.note("");
  history.replaceState(null, "", location.pathname);
  announce("A new conversation");
  byId("question").focus();
  if (ended) remove(`/api/conversations/${ended}`).catch((problem) => problem.code !== "not_found" && alertUser(problem));
}

/** Evidence as it comes in: a step that ends tells all of its own once more. */
function collect(state, { items, features }) {
  if (!items.length) return;
  for (const item of items) {
    state.evidence.set(item.id, item);
    state.features.set(item.id, features.filter((feature) => feature.properties.evidence === item.id));
  }
  const drawn = [...state.features.values()].flat();
  view.draw(drawn);
  showFacts([...state.evidence.values()], drawn);
}

function showFacts(evidence, features) {
  const drawn = new Set(features.map((feature) => feature.properties.evidence));
  showEvidence(evidence, drawn, (id, open) => view.choose(id, open));
}

/** Shows a turn whose run is over. */
function finish(shown) {
  const { asked, answer, features } = shown;
  const placed = features.filter((feature) => feature.geometry); // a stop may lie nobody knows where
  const choosing = (number) => choose(asked, number);
  current = shown;
  showAnswer(asked, answer, choosing, CARDS, takeaway(asked, answer, features, alertUser));
  showFacts(answer.evidence, placed);
  showProgram(answer.program);
  showAccount(answer, alertUser);
  byId("plan-card").open = false;
  byId("plan-card").hidden = !answer.plan.length;
  view.draw(placed);
  const marked = answer.candidates.length ? answer.candidates : cardsOf(answer);
  view.showPlaces(answer.base_map === "any" ? marked : [], asked.at);
  view.note(answer.base_map === "any" ? "" : `What ${answer.base_map} found may be drawn on ${answer.base_map} maps only, so this map shows none of it.`);
  if (answer.id) history.replaceState(null, "", `${location.pathname}#${answer.id}`);
  announce(`${answer.status.replace("_", " ")}: ${answer.answer || answer.reason}`);
  byId("answer-title").focus({ preventScroll: false });
}

const CARDS = {
  light: (number, on) => view.light(number, on),
  select: (number, look = false) => {
    showCard(number);
    view.select(number);
    if (look) byId("map").scrollIntoView({ block: "center" });
  },
  run: (program, title) => runProgram(program, title),
  word: (begin, end) => form.word(begin, end),
  here: () => form.here() !== null,
  mapOf: (answer) => setup.maps.find((each) => each.name === answer.map),
};

/** Asks the same again with the place that is meant. */
function choose(asked, number) {
  if (running) return;
  const { conversation: _, ...same } = asked;
  run({ ...same, choice: [...(asked.choice ?? []), number] });
}

/** Shows a question of the history again. */
async function reopen(id) {
  const own = (turn += 1);
  running?.abort();
  try {
    const { question, answer, features } = await getJson(`/api/history/${id}`);
    if (own !== turn) return;
    alertUser(null);
    const title = question.question ?? answer.understood;
    begin(title);
    form.fill(question);
    if (answer.map) chooseMap(answer.map);
    drawEnded(answer);
    thread.mark(null);
    const asked = question.program ? { ...form.circumstances(), program: question.program } : form.asked();
    finish({ asked: { ...asked, question: title, choice: question.choice }, answer: { ...answer, id }, features });
  } catch (problem) {
    if (own === turn) alertUser(problem);
  }
}

function chosenMap() {
  const provider = setup.providers.find((each) => each.name === (byId("provider").value || setup.providers[0]?.name));
  return provider?.uses_maps ? byId("map-choice").value : "";
}

function chooseMap(name) {
  const record = setup.maps.find((each) => each.name === name);
  if (!record) return;
  byId("map-choice").value = name;
  if (view.record !== record) view.showMap(record);
  form.within(record.bounds);
  examples(record);
}

function examples(record) {
  byId("welcome").hidden ||= !record.examples.length;
  if (record.examples.length) form.suggest(record.examples[0]);
  byId("examples").replaceChildren(
    ...record.examples.map((text) =>
      el("li", {}, el("button", { type: "button", class: "example", onclick: () => tryOut(text) }, text)),
    ),
  );
}

function tryOut(text) {
  byId("question").value = text;
  byId("ask-form").requestSubmit();
}

function noMap() {
  byId("examples").replaceChildren(
    el("li", { class: "empty" }, "There is no map yet. Add one with ", el("code", {}, "mapagent map add FILE.osm.pbf"), ", or run ", el("code", {}, "make demo"), ", and load this page again."),
  );
  view.note("There is no map yet.");
}

async function start() {
  const shown = ID.exec(location.hash); // before anything is asked: an answer puts its own id there
  startTheme(() => view.restyle());
  startHistory({ open: reopen, forgotten: anew });
  startProgram(runEdited);
  byId("ask-on").addEventListener("click", () => byId("question").focus());
  byId("map-choice").addEventListener("change", (event) => chooseMap(event.target.value));
  try {
    setup = await getJson("/api/setup");
  } catch (problem) {
    alertUser(problem);
    byId("examples").replaceChildren();
    return;
  }
  form.offer(setup);
  byId("map-choice").replaceChildren(...setup.maps.map((each) => el("option", { value: each.name }, each.name)));
  byId("map-field").hidden = setup.maps.length < 2;
  const question = linked(location.search);
  if (question && !turn) form.fill(question);
  view.setHere(form.here()); // what the browser kept of the form
  const first = [question?.map, setup.default_map].map((name) => setup.maps.find((each) => each.name === name)).find(Boolean) ?? setup.maps[0];
  if (first) {
    chooseMap(first.name);
  } else if (setup.providers[0].uses_maps) {
    noMap();
  } else {
    byId("welcome").hidden = true;
  }
  if (shown && !turn) await reopen(shown[1]); // unless something was asked meanwhile
}

start();
