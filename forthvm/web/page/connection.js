/**
 * The connection to the server.  A lost connection is opened again.
 *
 * This is the only module that knows the server.  An exported file has another module with a class of the same
 * name and the same five members: `open`, `send`, `texts`, `onMessage` and `onStatus`.
 */

const FIRST_WAIT = 500; // milliseconds before the connection is opened again; twice as long each time
const LONGEST_WAIT = 8000;
const REPLACED_KEY = 1008; // the server closed the connection because another link has replaced that of the page

export class Connection {
  constructor() {
    /** Called with each message. @type {(message: any) => void} */
    this.onMessage = () => {};
    /** Called when the connection is opened (true) or lost (false). @type {(connected: boolean) => void} */
    this.onStatus = () => {};
    this.wait = FIRST_WAIT;
    /** @type {WebSocket | null} */ this.socket = null;
  }

  /** Connect, and stay connected. */
  open() {
    const key = new URLSearchParams(location.search).get("key") ?? "";
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws?key=${encodeURIComponent(key)}`);
    this.socket = socket;
    /** @type {object} */ let state = {};
    socket.onmessage = (event) => {
      let message = JSON.parse(event.data);
      if (message.is === "state") message = state = { ...state, ...message }; // it contains only what has changed
      this.onMessage(message);
    };
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.onStatus(true);
    };
    socket.onclose = (event) => {
      this.onStatus(false);
      if (event.code === REPLACED_KEY) {
        this.onMessage({ is: "error", code: "old-key", values: {}, text: "" });
        return;
      }
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
  }

  /** Send a request. @param {object} request @returns {boolean} False if there is no connection. */
  send(request) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(request));
    return true;
  }

  /** Send files to the server; an exported file has none. @param {[path: string, file: File][]} files @returns {Promise<any>} The answer. */
  async upload(files) {
    const line = JSON.stringify(files.map(([path, { size }]) => [path, size]));
    const body = new Blob([`${line}\n`, ...files.map(([, file]) => file)]);
    return (await fetch(`/drop${location.search}`, { method: "POST", body })).json();
  }

  /** Fetch the texts of a language. @param {string} language @returns {Promise<Record<string, any>>} */
  async texts(language) {
    return (await fetch(`/page/texts/${language}.json`)).json();
  }
}
