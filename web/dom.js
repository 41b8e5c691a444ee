// @ts-check
/** Creates elements. Text is always set as text, never parsed as HTML, so that nothing a server sends can become markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Attributes of an element: `on…` adds a listener, `class`, `dataset` and properties of the element work as one expects; null,
 * undefined and false leave an attribute out.
 * @typedef {Record<string, any>} Attributes
 * @typedef {Node | string | number | null | undefined | false} Child
 */

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else if (name === "value" || name === "checked" || name === "selected") /** @type {any} */ (element)[name] = value;
    else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  // A select's value can only be set once its options are there.
  element.append(...present(children));
  set(element, attributes);
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  set(element, attributes);
  element.append(...present(children));
  return element;
}

/**
 * @param {(Child | Child[])[]} children
 * @returns {(Node | string)[]}
 */
function present(children) {
  const all = /** @type {Child[]} */ (children.flat());
  return all.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    return [child instanceof Node ? child : String(child)];
  });
}

/**
 * Replaces an element's children.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
}

/**
 * Like `fill`, for redrawing: if a child had the focus, its replacement gets it.
 * @param {HTMLElement} element
 * @param {string} mark the attribute that identifies children
 * @param {...(Child | Child[])} children
 */
export function refill(element, mark, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement?.getAttribute(mark) : null;
  fill(element, ...children);
  if (typeof focused !== "string") return;
  /** @type {HTMLElement | null} */ (element.querySelector(`[${mark}="${CSS.escape(focused)}"]`))?.focus({ preventScroll: true });
}

/** A text from the service, with the parts between backticks as `<code>`. @param {string} text */
export const coded = (text) => text.split("`").map((part, index) => (index % 2 === 0 ? part : h("code", {}, part)));

/**
 * A labelled form field.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
export function field(label, control, hint) {
  return h("label", { class: "field", title: hint }, h("span", { class: "field-label" }, label), control);
}

/**
 * A select.
 * @param {[value: string, label: string][]} options
 * @param {string} value
 * @param {(value: string) => void} onchange
 * @param {Attributes} [attributes]
 */
export function select(options, value, onchange, attributes = {}) {
  const element = h(
    "select",
    attributes,
    options.map(([option, label]) => h("option", { value: option }, label)),
  );
  element.value = value;
  element.addEventListener("change", () => onchange(element.value));
  return element;
}

/**
 * @param {string | Node} label
 * @param {() => void} onclick
 * @param {Attributes} [attributes]
 */
export function button(label, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, label);
}

/**
 * Listens while an element is on the page, so that a rebuilt element leaves no listener behind.
 * @param {Element} element
 * @param {EventTarget} target
 * @param {string} name
 * @param {(event: CustomEvent) => void} then
 */
export function whileShown(element, target, name, then) {
  const listen = (/** @type {Event} */ event) => {
    if (element.isConnected) then(/** @type {CustomEvent} */ (event));
    else target.removeEventListener(name, listen);
  };
  target.addEventListener(name, listen);
}
