// The program behind an answer: to read, to edit, to run again.

import { byId } from "./dom.js";

/** Makes the form work; `run` is called with the text of a program. */
export function startProgram(run) {
  byId("program-form").addEventListener("submit", (event) => {
    event.preventDefault();
    run(byId("program").value);
  });
  byId("program-form").addEventListener("reset", () => wrong(null));
  byId("program").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    byId("program-form").requestSubmit();
  });
}

/** Shows the program of an answer; a model's prose has none. */
export function showProgram(text) {
  byId("program-card").hidden = !text;
  byId("program").defaultValue = text;
  byId("program").value = text;
  wrong(null);
}

/** Shows what was written and why it cannot be run. */
export function showWrongProgram(text, problem) {
  byId("program-card").hidden = false;
  byId("program-card").open = true;
  byId("program").value = text;
  wrong(problem);
  byId("program").focus();
}

function wrong(problem) {
  byId("program-problem").hidden = !problem;
  byId("program-problem").textContent = problem ? [problem.message, problem.remedy].filter(Boolean).join(" ") : "";
}
