/**
 * Games and positions as files, pictures, links and texts, and opening them.
 *
 * @import { Page } from "./app.js"
 * @import { Dropped } from "./dropping.js"
 */
import { ask } from "./ask.js";
import { byId, copy, make, saveAs, svgAddress } from "./dom.js";
import { chosenFiles, onDrop, store } from "./dropping.js";
import { text } from "./texts.js";

const MOST_BYTES = 3_000_000; // of a file or a text; the server refuses more
const SIGN = "#position="; // stands before the position in an address
const WIDTH = 1200; // of PNG pictures, in pixels

export class SharePart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.field = /** @type {HTMLTextAreaElement} */ (byId("share-field"));
    /** The text that the server checks. */ this.asked = "";
    /** The number of texts that it has been asked to check. */ this.checks = 0;
    this.file = /** @type {HTMLInputElement} */ (byId("load-file"));
    byId("share-open").onclick = () => this.#open(this.field.value);
    byId("load").onclick = () => this.file.click();
    this.file.onchange = () => this.#receive(chosenFiles(this.file));
    onDrop((files) => this.#drop(files));
    page.on("game", ({ options }) => page.set({ "rule-file": options?.variants.length }));
    page.on("state", () => {
      this.#nameForms();
      this.#openAddress();
    });
    page.on("saved", ({ name, data }) => saveAs(name, new Blob([bytesOf(data)])));
    page.on("picture", ({ as, name, svg }) => as === "png" ? savePng(name, svg) : saveSvg(name, svg));
    page.on("replay", ({ name, svg }) => saveSvg(name, svg));
    page.on("opened", ({ address }) => location.assign(address));
    page.on("link", ({ position }) => this.#copy(`${page.game?.address || location.origin}/${SIGN}${position}`));
    page.on("text", (message) => this.#copy(message.text));
    page.on("checked", ({ check }) => { if (check === this.checks) this.#askAndOpen(); });
    page.on("loaded", ({ has_others }) => {
      page.showLive();
      if (has_others) page.message(text("share.first-of-several"));
    });
    addEventListener("hashchange", () => this.#openAddress());
    document.addEventListener("paste", (event) => this.#paste(event));
  }

  /** Show the buttons for the texts that the game has. */
  #nameForms() {
    const { position, game } = this.page.game?.text_forms ?? {};
    this.page.set({ "position-text": position, "game-text": game });
    byId("share-position").textContent = text("share.copy-position", { form: position });
    byId("share-game").textContent = text("share.copy-game", { form: game });
  }

  /** Open a text that is pasted outside of a field. @param {ClipboardEvent} event */
  #paste({ target, clipboardData }) {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    const pasted = clipboardData?.getData("text/plain") ?? "";
    if (isField || !pasted.trim() || !this.page.conditions.server || document.querySelector("dialog:modal")) return;
    this.#open(pasted);
  }

  /** Open the position in the address of the page, once. */
  #openAddress() {
    const { hash, pathname, search } = location;
    if (!hash.startsWith(SIGN) || !this.page.conditions.server) return;
    history.replaceState(null, "", pathname + search);
    this.#open(hash);
  }

  /** Let the server check whether a text can be opened. @param {string} given A link, a position or games. */
  #open(given) {
    if (!given.trim()) this.field.focus();
    else if (!this.page.state?.is_owner) this.page.message(text("share.not-owner"));
    else if (given.length > MOST_BYTES) this.page.message(text("share.too-long"));
    else if (this.page.send({ do: "load", text: given, check: this.checks + 1 })) {
      this.checks += 1;
      this.asked = given;
    }
  }

  async #askAndOpen() {
    const given = this.asked;
    if (await ask(text("share.really-open"), text("share.open"))) this.page.send({ do: "load", text: given });
  }

  /** @param {string} copied */
  async #copy(copied) {
    this.field.value = copied;
    this.page.message(text(await copy(this.field) ? "share.copied" : "share.not-copied"));
  }

  /** Open files that were dropped, perhaps by mistake. @param {Dropped[]} files */
  async #drop(files) {
    const { state, conditions } = this.page;
    if (!state?.is_owner || !conditions.server) return;
    if (!this.#isSaved(files) || await ask(text("files.really-load"), text("share.open"))) this.#receive(files);
  }

  /** Continue a saved game at this table; other files are opened in a page of their own. @param {Dropped[]} files */
  async #receive(files) {
    if (this.#isSaved(files)) {
      this.#load(files[0][1]);
    } else if (files.length) {
      this.page.message(text("library.opening"));
      const answer = await store(this.page.connection, files);
      if (answer.is === "stored") this.page.send({ do: "dropped", drop: answer.drop });
      else this.page.receive(answer);
    }
  }

  /** Whether files are one saved position, or one file with games. @param {Dropped[]} files */
  #isSaved(files) {
    const suffixes = this.page.game?.suffixes ?? [];
    return files.length === 1 && suffixes.some((suffix) => files[0][0].toLowerCase().endsWith(suffix));
  }

  /** @param {File} file */
  #load(file) {
    if (file.size > MOST_BYTES) {
      this.page.message(text("files.too-large", { name: file.name }));
      return;
    }
    const reader = new FileReader();
    reader.onload = () => this.page.send({ do: "load", name: file.name, data: String(reader.result).split(",")[1] ?? "" });
    reader.readAsDataURL(file); // in Base64, after a comma
  }
}

/** @param {string} data In Base64. */
const bytesOf = (data) => Uint8Array.from(atob(data), (character) => character.charCodeAt(0));

/** @param {string} name @param {string} svg */
const saveSvg = (name, svg) => saveAs(name, new Blob([svg], { type: "image/svg+xml" }));

/** @param {string} name @param {string} svg */
async function savePng(name, svg) {
  const image = make("img", { src: svgAddress(svg) });
  await image.decode();
  const canvas = make("canvas", { width: WIDTH, height: Math.round(WIDTH * image.naturalHeight / image.naturalWidth) });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => { if (blob) saveAs(name, blob); });
}
