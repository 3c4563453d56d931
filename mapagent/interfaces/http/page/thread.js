// The conversation: its questions in order, each a button that shows its answer again.

import { byId, el } from "./dom.js";

/** Makes the list work; `handlers`: show (a turn: { asked, answer, features }), anew (a new conversation is wanted). */
export function startThread(handlers) {
  let turns = [];
  let shown = null;
  byId("thread-new").addEventListener("click", handlers.anew);

  const draw = () => {
    byId("thread-card").hidden = !turns.length;
    byId("thread").replaceChildren(...turns.map((turn) => row(turn, turn === shown, handlers.show)));
    const now = byId("thread").children[turns.indexOf(shown)] ?? byId("thread").lastElementChild;
    now?.scrollIntoView({ block: "nearest" });
  };

  return {
    /** Adds a turn; one that says which place was meant takes the place of the question that asked for it. */
    add(turn) {
      const last = turns.at(-1);
      const settled = last?.answer.status === "ambiguous" && last.asked.question === turn.asked.question;
      if (turn.asked.choice?.length && settled) turns.pop();
      turns.push(turn);
    },
    /** Marks the turn whose answer is shown; null if it is none of them. */
    mark(turn) {
      shown = turn;
      draw();
    },
    clear() {
      turns = [];
      shown = null;
      draw();
    },
  };
}

function row(turn, current, show) {
  const { answer } = turn;
  return el(
    "li",
    {},
    el(
      "button",
      { type: "button", class: "turn", "aria-current": current ? "true" : null, onclick: () => show(turn) },
      el("span", { class: "turn-question" }, turn.asked.question),
      el("span", { class: "turn-answer" }, answer.answer || answer.status.replace("_", " ")),
    ),
  );
}
