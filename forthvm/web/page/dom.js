/**
 * Making and finding elements.  Texts become text nodes, never markup.
 */

/** @param {string} id @returns {HTMLElement} */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Make an element.  Names with a hyphen are attributes, others are properties.  The attributes `data-text` and
 * `data-label` name the text of the catalogue that the element shows or is called.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} properties
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-")) made.setAttribute(name, String(value));
    else Object.assign(made, { [name]: value });
  }
  made.append(...children);
  return made;
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 * @returns {SVGElement}
 */
export function makeSvg(tag, attributes = {}, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS("http://www.w3.org/2000/svg", tag));
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * Make the options of a selection.
 * @param {[value: string, label: string][]} choices
 * @param {string | null | undefined} chosen
 */
export const options = (choices, chosen) =>
  choices.map(([value, label]) => make("option", { value, selected: value === chosen }, label));

/** The address of a picture that is a text. @param {string} svg */
export const svgAddress = (svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** Scroll a list to one of its elements, and not the page. @param {HTMLElement} list @param {HTMLElement} element */
export function scrollTo(list, element) {
  list.scrollTop = element.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/**
 * Copy the text of a field, which browsers allow on pages of this computer and of HTTPS.
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 */
export async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return false;
  }
}

/** Let the browser store a file. @param {string} name @param {Blob} data */
export function saveAs(name, data) {
  const href = URL.createObjectURL(data);
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000); // the browser reads it after the click
}
