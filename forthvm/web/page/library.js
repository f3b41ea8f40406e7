/**
 * The page of a library: search and filters, and a card for each file that is found.
 *
 * @typedef {{file: number, title: string, kind: string, author: string, description: string, players: number, chance: boolean,
 *   hidden: boolean, columns: number, rows: number, squares: number, variants: number, reason: string, place: string, archive: string,
 *   recent: boolean}} Row
 * @typedef {{title: string, path: string, inside: string, players: string[], texts: import("./types.js").Texts | null}} About
 * @typedef {{rows: Row[], count: number, total: number}} Found
 * @typedef {{done: number, found: number, files: number, running: boolean}} Progress
 */
import { Connection } from "./connection.js";
import { byId, make, svgAddress } from "./dom.js";
import { chosenFiles, onDrop, store } from "./dropping.js";
import { textElements } from "./rules.js";
import { browserLanguage, loadTexts, text, translate } from "./texts.js";

const ROWS = 60; // shown at first, and more with each press of "more"; each time in a list, which is not drawn while it is out of view
const AT_ONCE = 20; // thumbnails of one request
const PAUSE = 200; // milliseconds between two such requests
const TYPING = 150; // milliseconds without a key before the server searches
const LONGEST = 200; // characters of a search, as in library.html
const OPENED = new Set(["game", "saved game", "position", "results"]);

class Library {
  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.rows = ROWS;
    /** The lists of cards as JSON. @type {string[]} */ this.shown = [];
    this.timer = 0;
    /** @type {Map<number, HTMLImageElement>} */ this.pictures = new Map();
    /** @type {Set<Element>} */ this.wanted = new Set();
    this.waiting = 0;
    this.observer = new IntersectionObserver((seen) => this.#see(seen), { rootMargin: "50%" });
    this.filters = /** @type {HTMLFormElement} */ (byId("filters"));
    this.filters.onsubmit = (event) => { event.preventDefault(); this.search(); };
    // Some browsers send only one of the two events after a choice.
    this.filters.onchange = this.filters.oninput = () => {
      this.rows = ROWS;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.search(), TYPING);
    };
    byId("more").onclick = () => { this.rows += ROWS; this.search(); };
    const input = /** @type {HTMLInputElement} */ (byId("file"));
    byId("open-file").onclick = () => input.click();
    input.onchange = () => this.#receiveFiles(chosenFiles(input));
    onDrop((files) => this.#receiveFiles(files));
    byId("scan").onclick = () => connection.send({ do: "scan" });
    const folder = /** @type {HTMLFormElement} */ (byId("add-folder"));
    folder.onsubmit = (event) => {
      event.preventDefault();
      this.#say("");
      connection.send({ do: "add folder", path: String(new FormData(folder).get("path")) });
    };
    connection.onMessage = (message) => this.receive(message);
    connection.onStatus = (connected) => { byId("offline").hidden = connected; };
  }

  /** @param {any} message */
  receive(message) {
    if (message.is === "error") {
      this.#say(text(`error.${message.code}`, message.values, message.text));
      this.#setBusy(false);
      if (message.code !== "unknown-request") this.search(); // shows the count again; a refused search would be refused again
    }
    if (message.is === "progress") this.#progress(message);
    if (message.is === "found") this.#draw(message);
    if (message.is === "thumbnail") {
      const picture = this.pictures.get(message.file);
      if (picture) picture.src = svgAddress(message.svg);
    }
    if (message.is === "opened") location.assign(message.address);
    if (message.is === "texts") this.#showAbout(message);
    if (message.is === "folders") this.#showFolders(message.folders);
    if (message.is === "dropped") {
      this.filters.reset();
      this.#setBusy(message.opens);
      if (!message.opens) this.search();
    }
  }

  /** Show a message, or none. @param {string} words */
  #say(words) {
    byId("message").textContent = words;
  }

  /** @param {string[]} folders */
  #showFolders(folders) {
    byId("folder-list").replaceChildren(...folders.map((path) => make(
      "li", {}, path, make("button", {
        "aria-label": text("library.forget-named", { path }), onclick: () => this.connection.send({ do: "forget folder", path }),
      }, text("library.forget")),
    )));
    /** @type {HTMLFormElement} */ (byId("add-folder")).reset();
  }

  /** @param {import("./dropping.js").Dropped[]} files */
  async #receiveFiles(files) {
    if (!files.length) return;
    this.#say("");
    this.#setBusy(true);
    const answer = await store(this.connection, files);
    if (answer.is === "stored") this.connection.send({ do: "dropped", drop: answer.drop });
    else this.receive(answer);
  }

  search() {
    const value = (/** @type {string} */ name) => String(new FormData(this.filters).get(name) ?? "");
    const choice = (/** @type {string} */ name) => (value(name) ? value(name) === "true" : null);
    this.connection.send({
      do: "search",
      text: value("text"),
      players: value("players") ? Number(value("players")) : null,
      board: value("board") || null,
      kind: value("kind") || null,
      loads: choice("loads"),
      chance: choice("chance"),
      hidden: choice("hidden"),
      rows: this.rows,
    });
  }

  /** @param {Progress} progress */
  #progress({ done, found, running }) {
    byId("progress").textContent = running ? text("library.scanning", { done, count: found }) : "";
    this.search();
  }

  /** @param {Found} found */
  #draw({ rows, count, total }) {
    byId("count").textContent = total ? text("library.found", { count, total }) : text("library.empty");
    byId("more").hidden = count <= rows.length;
    const focused = document.activeElement?.getAttribute("data-open");
    const files = new Set(rows.map(({ file }) => file));
    for (const file of this.pictures.keys()) if (!files.has(file)) this.pictures.delete(file);
    const lists = Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, at) => rows.slice(at * ROWS, (at + 1) * ROWS));
    const shown = lists.map((list) => JSON.stringify(list));
    lists.forEach((list, at) => {
      if (shown[at] === this.shown[at]) return; // a scan goes on, or more is shown: keep the focus and the pictures
      const drawn = make("ul", { className: "cards", "data-label": "library.list" }, ...list.map((row) => this.#card(row)));
      translate(drawn);
      if (at < this.shown.length) byId("found").children[at].replaceWith(drawn);
      else byId("found").append(drawn);
    });
    while (byId("found").children.length > lists.length) byId("found").lastElementChild?.remove();
    this.shown = shown;
    if (focused && !document.activeElement?.hasAttribute("data-open")) {
      /** @type {HTMLElement | null} */ (document.querySelector(`[data-open="${focused}"]`))?.focus();
    }
  }

  /** @param {Row} row */
  #card(row) {
    const card = make("li", { className: row.reason ? "card fails" : "card" });
    if (row.kind === "game" && !row.reason) {
      const picture = this.pictures.get(row.file) ?? make("img", { alt: "", "data-file": row.file });
      this.pictures.set(row.file, picture);
      if (!picture.src) this.observer.observe(picture);
      card.append(picture);
    }
    card.append(make("h2", {}, row.title), make("p", { className: "note" }, facts(row)));
    if (row.description) card.append(make("p", {}, row.description));
    if (row.reason) card.append(make("p", { className: "reason" }, text("library.fails", { reason: row.reason })));
    card.append(this.#buttons(row));
    return card;
  }

  /** @param {About} about */
  #showAbout({ title, path, inside, players, texts }) {
    byId("about-title").textContent = title;
    const notes = [[path, inside], players].map((parts) => parts.filter(Boolean).join(" · "));
    byId("about-text").replaceChildren(
      ...notes.filter(Boolean).map((note) => make("p", { className: "note" }, note)), ...(texts ? textElements(texts) : []),
    );
    translate(byId("about-text"));
    /** @type {HTMLDialogElement} */ (byId("about")).showModal();
    this.#setBusy(false);
    this.search(); // shows the count again
  }

  /** @param {Row} row */
  #buttons(row) {
    const button = (/** @type {string} */ action, onclick = () => this.#request({ do: "open", file: row.file, again: action === "continue" })) =>
      make("button", {
        onclick,
        "data-open": `${row.file} ${action}`,
        "aria-label": text(`library.${action}-named`, { title: row.title }),
      }, text(`library.${action}`));
    const buttons = [button("about", () => this.#request({ do: "texts", file: row.file }))];
    if (OPENED.has(row.kind) && !row.reason) buttons.unshift(button(row.kind === "game" ? "play" : "open"));
    if (row.recent) buttons.splice(1, 0, button("continue"));
    if (row.archive) buttons.push(make("button", { onclick: () => this.#showArchive(row.archive) }, row.archive));
    return make("div", { className: "buttons" }, ...buttons);
  }

  /** List what is in an archive. @param {string} name */
  #showArchive(name) {
    this.filters.reset();
    /** @type {HTMLInputElement} */ (this.filters.elements.namedItem("text")).value = name.slice(0, LONGEST);
    this.search();
  }

  /** Send a request that loads a game. @param {object} request */
  #request(request) {
    this.#say("");
    this.#setBusy(this.connection.send(request));
  }

  /** While a game is loaded. @param {boolean} busy */
  #setBusy(busy) {
    byId("found").setAttribute("aria-busy", String(busy));
    if (busy) byId("count").textContent = text("library.opening");
  }

  /** Note which cards without a picture are in view. @param {IntersectionObserverEntry[]} seen */
  #see(seen) {
    for (const { isIntersecting, target } of seen) {
      if (isIntersecting) this.wanted.add(target);
      else this.wanted.delete(target);
    }
    this.#requestPictures();
  }

  /** Request some of these pictures, and the others later: the server slows down windows that ask too often. */
  #requestPictures() {
    if (this.waiting || !this.wanted.size) return;
    const wanted = [...this.wanted].slice(0, AT_ONCE);
    for (const target of wanted) {
      this.observer.unobserve(target);
      this.wanted.delete(target);
    }
    this.connection.send({ do: "thumbnails", files: wanted.map((target) => Number(target.getAttribute("data-file"))) });
    this.waiting = setTimeout(() => { this.waiting = 0; this.#requestPictures(); }, PAUSE);
  }
}

/** One line about a file. @param {Row} row */
function facts(row) {
  const parts = [];
  if (row.kind !== "game") parts.push(text(`library.kind.${row.kind}`));
  if (row.players) parts.push(text("library.player count", { count: row.players }));
  if (row.columns && row.rows) parts.push(`${row.columns} × ${row.rows}`);
  else if (row.squares) parts.push(text("library.squares", { count: row.squares }));
  if (row.variants > 1) parts.push(text("library.variants", { count: row.variants }));
  if (row.chance) parts.push(text("library.with chance"));
  if (row.hidden) parts.push(text("library.with hidden"));
  if (row.author) parts.push(row.author);
  parts.push(row.place);
  return parts.join(" · ");
}

const connection = new Connection();
await loadTexts(browserLanguage(), (language) => connection.texts(language));
document.title = text("library.title");
new Library(connection);
connection.open();
