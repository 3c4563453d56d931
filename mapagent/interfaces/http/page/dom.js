// Small helpers for building the page. Text always becomes text nodes: nothing a map or a question says is markup.

export function byId(id) {
  return document.getElementById(id);
}

/** Makes an element: attributes by name, listeners as `onclick`, children as nodes or text. */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  assign(made, attributes);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  assign(made, attributes);
  made.append(...children);
  return made;
}

function assign(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
}

/** Says something to screen readers without moving the focus. */
export function announce(text) {
  byId("live").textContent = text;
}

/** A link to data the page holds, saved under a name. */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = el("a", { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}
