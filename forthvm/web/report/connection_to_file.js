/**
 * The connection of a report page to the data in its own file, in place of the connection to a server.
 */

/** @param {string} id @returns {any} */
const embedded = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

export class Connection {
  constructor() {
    /** @type {(message: any) => void} */ this.onMessage = () => {};
    /** @type {(connected: boolean) => void} */ this.onStatus = () => {};
    /** @type {import("../page/replay.js").StepsMessage[]} */ this.steps = embedded("steps");
    this.lists = {
      squares: this.steps.flatMap(({ squares }) => squares),
      kinds: this.steps.flatMap(({ kinds }) => kinds),
      values: this.steps.flatMap(({ values }) => values),
    };
  }

  open() {
    for (const message of embedded("messages")) this.onMessage(message);
  }

  /** @param {{do: string, game: number}} request @returns {boolean} */
  send(request) {
    const found = this.steps.find(({ game }) => game === request.game);
    if (found) this.onMessage({ ...found, ...this.lists });
    return true;
  }

  /** @param {string} language @returns {Promise<Record<string, any>>} */
  async texts(language) {
    return embedded("texts")[language];
  }
}
