/**
 * The page of a results file: numbers, list of games, and the replay of the game that was chosen.
 *
 * @import { Block } from "./blocks.js"
 * @import { Game } from "./games.js"
 */
import { blockElement } from "./blocks.js";
import { Connection } from "./connection.js";
import { byId } from "./dom.js";
import { GamesList } from "./games.js";
import { Replay } from "./replay.js";
import { browserLanguage, loadTexts, text } from "./texts.js";

class Report {
  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.problem = "";
    this.replay = new Replay((game, ply) => history.replaceState(null, "", `#game=${game}&ply=${ply}`));
    this.list = new GamesList((game) => this.open(game, 0));
    connection.onMessage = (message) => this.receive(message);
    connection.onStatus = (connected) => { byId("offline").hidden = connected; };
    document.addEventListener("keydown", (event) => this.#key(event));
    window.addEventListener("hashchange", () => this.#openAddress());
  }

  /** @param {any} message */
  receive(message) {
    byId("message").textContent = message.is === "error" ? text(`error.${message.code}`, message.values, message.text) : "";
    if (message.is === "report") this.#showNumbers(message);
    if (message.is === "games") {
      this.list.receive(message);
      if (!this.list.opened) this.#openAddress();
    }
    if (message.is === "game") {
      this.problem = message.problem ?? "";
      this.replay.symbols = message.symbols;
      this.#openAddress();
    }
    if (message.is === "steps") this.replay.receive(message);
  }

  /** @param {{blocks: Block[], finished: boolean}} message */
  #showNumbers({ blocks, finished }) {
    const [title, about, ...others] = blocks.map(blockElement);
    byId("head").replaceChildren(title, about);
    document.title = title.textContent ?? "";
    byId("status").textContent = finished ? "" : text("report.running", { time: new Date().toLocaleTimeString() });
    const top = byId("numbers").scrollTop;
    byId("numbers").replaceChildren(...others);
    byId("numbers").scrollTop = top;
  }

  /** @param {Game} game @param {number} ply */
  open(game, ply) {
    this.list.opened = game.id;
    this.list.draw();
    byId("viewer").hidden = false;
    byId("stage").hidden = Boolean(this.problem);
    this.replay.open(game, ply);
    if (this.problem) byId("now").textContent = text("report.no board", { reason: this.problem });
    else this.connection.send({ do: "replay", game: game.id });
    byId("viewer").scrollIntoView({ block: "nearest" });
  }

  /** Open the game that the address names, such as #game=2&ply=5. */
  #openAddress() {
    const address = new URLSearchParams(location.hash.slice(1));
    const game = this.list.games.get(Number(address.get("game")));
    const ply = Number(address.get("ply")) || 0;
    if (!game) return;
    if (game.id === this.list.opened) this.replay.go(ply);
    else this.open(game, ply);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement) return;
    if (event.ctrlKey || event.metaKey || event.altKey || byId("viewer").hidden) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const button = [...document.querySelectorAll("button")].find(({ dataset }) => dataset.key === key);
    if (!button) return;
    event.preventDefault();
    button.click();
  }
}

const connection = new Connection();
await loadTexts(browserLanguage(), (language) => connection.texts(language));
new Report(connection);
connection.open();
