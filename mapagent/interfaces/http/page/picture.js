// A picture that is asked about: chosen, dropped or pasted.

import { byId } from "./dom.js";

/** Watches for pictures; `taken` gets {name, url} with the picture as a data URL, `refused` a sentence. */
export function watchPictures(limitBytes, taken, refused) {
  const take = async (file) => {
    if (!file.type.startsWith("image/")) return refused(`${file.name} is not a picture.`);
    if (file.size > limitBytes()) return refused(`${file.name} is larger than ${Math.round(limitBytes() / 1e6)} MB.`);
    taken({ name: file.name || "pasted picture", url: await dataUrl(file) });
    return undefined;
  };
  const first = (files) => files.length && take(files[0]);

  byId("picture").addEventListener("change", (event) => first(event.target.files));
  document.addEventListener("paste", (event) => {
    if (!event.clipboardData.files.length) return;
    event.preventDefault();
    first(event.clipboardData.files);
  });
  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    byId("drop-note").hidden = false;
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) byId("drop-note").hidden = true;
  });
  document.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    byId("drop-note").hidden = true;
    first(event.dataTransfer.files);
  });
}

function dataUrl(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}
