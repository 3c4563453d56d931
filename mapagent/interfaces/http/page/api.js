// Talks to the server this page came from.

import { byId } from "./dom.js";
import { events } from "./sse.js";

const TOKEN = "mapagent-token";

/** What the server said was wrong: a sentence, and what to do about it. */
export class Problem extends Error {
  constructor(message, remedy = "", code = "error") {
    super(message);
    this.remedy = remedy;
    this.code = code;
  }
}

const LINKED = /^#token=([\w-]+)$/;

/** The link that `mapagent serve` prints has the token of who started it; it stays with this tab. */
function takeToken() {
  const linked = LINKED.exec(location.hash);
  if (!linked) return;
  sessionStorage.setItem(TOKEN, linked[1]);
  history.replaceState(null, "", location.pathname);
}

takeToken();

let asking = null; // the one dialog that all waiting requests share
const UNREACHABLE = new Problem("The server cannot be reached.", "See that `mapagent serve` still runs.", "unreachable");

export function authorization() {
  const token = sessionStorage.getItem(TOKEN);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** Sends a request; asks for the token where the server wants one. */
async function send(path, options = {}) {
  let reply;
  try {
    reply = await fetch(path, { ...options, headers: { ...options.headers, ...authorization() } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw UNREACHABLE;
  }
  if (reply.status === 401) {
    asking ??= askForToken().finally(() => (asking = null));
    await asking;
    return send(path, options);
  }
  if (!reply.ok) throw await problemOf(reply);
  return reply;
}

async function problemOf(reply) {
  try {
    const { error } = await reply.json();
    return new Problem(error.message, error.remedy, error.code);
  } catch {
    return new Problem(`The server answered ${reply.status}.`, "Try again.");
  }
}

async function askForToken() {
  const dialog = byId("token");
  const field = byId("token-value");
  field.value = "";
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  if (!dialog.returnValue || !field.value) throw new Problem("This server wants a token.", "Load the page again to give it.");
  sessionStorage.setItem(TOKEN, field.value);
}

export async function getJson(path) {
  return (await send(path)).json();
}

export async function getBlob(path) {
  return (await send(path)).blob();
}

export async function remove(path) {
  await send(path, { method: "DELETE" });
}

/** Asks a question, or runs a program; yields the events of the run until its answer. Aborting the signal stops the work. */
export async function* ask(question, signal) {
  const reply = await send(question.program ? "/api/query/stream" : "/api/ask/stream", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(question),
    signal,
  });
  let ended = false;
  try {
    for await (const { name, data } of events(reply.body)) {
      if (name === "error") throw new Problem(data.message, data.remedy, data.code);
      ended = name === "answer";
      yield { name, data };
    }
  } catch (error) {
    if (error instanceof TypeError) throw UNREACHABLE; // the connection broke
    throw error;
  }
  if (!ended) throw new Problem("The server stopped before it had an answer.", "Ask again.");
}
