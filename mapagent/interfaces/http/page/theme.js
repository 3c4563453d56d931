// Light, dark, or what the system says.

import { byId } from "./dom.js";

const KEY = "mapagent-theme";
const CHOICES = ["auto", "light", "dark"];
const system = matchMedia("(prefers-color-scheme: dark)");

function chosen() {
  const kept = localStorage.getItem(KEY);
  return CHOICES.includes(kept) ? kept : "auto";
}

/** "light" or "dark", whatever is shown now. */
export function theme() {
  return chosen() === "auto" ? (system.matches ? "dark" : "light") : chosen();
}

/** Applies the choice and calls back at each change. */
export function startTheme(changed) {
  const apply = () => {
    document.documentElement.dataset.theme = theme();
    byId("theme-now").textContent = chosen();
  };
  apply();
  byId("theme").addEventListener("click", () => {
    localStorage.setItem(KEY, CHOICES[(CHOICES.indexOf(chosen()) + 1) % CHOICES.length]);
    apply();
    changed();
  });
  system.addEventListener("change", () => {
    apply();
    changed();
  });
}
