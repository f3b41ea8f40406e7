/**
 * Sharing the position on the board: a picture, an animated replay, a link; and opening such a link.
 *
 * @import { Page } from "./app.js"
 */
import { byId, copy, make } from "./dom.js";
import { download } from "./files.js";
import { text } from "./texts.js";

const SIGN = "#position="; // stands before the position in an address
const WIDTH = 1200; // of PNG pictures, in pixels

export class SharePart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.field = /** @type {HTMLInputElement} */ (byId("share-field"));
    byId("share-open").onclick = () => this.#open(this.field.value);
    page.on("state", () => this.#openAddress());
    page.on("picture", ({ as, name, svg }) => as === "png" ? this.#savePng(name, svg) : saveSvg(name, svg));
    page.on("replay", ({ name, svg }) => saveSvg(name, svg));
    page.on("link", ({ position }) => this.#copy(position));
    addEventListener("hashchange", () => this.#openAddress());
  }

  /** Open the position in the address of the page, once. */
  #openAddress() {
    const { hash, pathname, search } = location;
    if (!hash.startsWith(SIGN) || !this.page.conditions.server) return;
    history.replaceState(null, "", pathname + search);
    this.#open(hash);
  }

  /** @param {string} link */
  #open(link) {
    if (!link.trim()) this.field.focus();
    else if (!this.page.state?.is_owner) this.page.message(text("share.not-owner"));
    else if (confirm(text("share.really-open"))) this.page.send({ do: "load", link });
  }

  /** @param {string} position */
  async #copy(position) {
    this.field.value = `${this.page.game?.address || location.origin}/${SIGN}${position}`;
    this.page.message(text(await copy(this.field) ? "share.copied" : "share.not-copied"));
  }

  /** @param {string} name @param {string} svg */
  async #savePng(name, svg) {
    const image = make("img", { src: `data:image/svg+xml,${encodeURIComponent(svg)}` });
    await image.decode();
    const canvas = make("canvas", { width: WIDTH, height: Math.round(WIDTH * image.naturalHeight / image.naturalWidth) });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.fillStyle = "white";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => { if (blob) download(name, blob); });
  }
}

/** @param {string} name @param {string} svg */
const saveSvg = (name, svg) => download(name, new Blob([svg], { type: "image/svg+xml" }));
