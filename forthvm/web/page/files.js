/**
 * Games as files: download the game that is being played, and continue one from a file.
 *
 * @import { Page } from "./app.js"
 */
import { byId, make } from "./dom.js";
import { text } from "./texts.js";

const MOST_BYTES = 3_000_000; // the server refuses more
const STEP = 0x8000; // bytes that become arguments of one call

export class FilesPart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    const input = /** @type {HTMLInputElement} */ (byId("load-file"));
    byId("load").onclick = () => input.click();
    input.onchange = () => this.#load(input);
    page.on("game", ({ options }) => page.set({ "rule-file": options?.variants.length }));
    page.on("saved", ({ name, data }) => download(name, new Blob([bytesOf(data)])));
  }

  /** @param {HTMLInputElement} input */
  async #load(input) {
    const [file] = input.files ?? [];
    input.value = "";
    if (!file) return;
    if (file.size > MOST_BYTES) {
      this.page.message(text("files.too-large", { name: file.name }));
      return;
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    let binary = "";
    for (let at = 0; at < bytes.length; at += STEP) binary += String.fromCharCode(...bytes.subarray(at, at + STEP));
    this.page.send({ do: "load", name: file.name, data: btoa(binary) });
  }
}

/** @param {string} data In Base64. */
const bytesOf = (data) => Uint8Array.from(atob(data), (character) => character.charCodeAt(0));

/** Let the browser store a file. @param {string} name @param {Blob} data */
export function download(name, data) {
  const url = URL.createObjectURL(data);
  make("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
