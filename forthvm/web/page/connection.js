/**
 * The connection to the server of the table.  A lost connection is opened again.
 *
 * An exported file has another class with the same methods, `onMessage`, `onLost` and `send`, whose messages
 * come from an engine in the page itself.
 */

const RECONNECT = 1000; // milliseconds

export class Connection {
  constructor() {
    /** Called with each message of the server. @type {(message: any) => void} */
    this.onMessage = () => {};
    /** Called when the connection is lost. */
    this.onLost = () => {};
  }

  open() {
    const key = new URLSearchParams(location.search).get("key") ?? "";
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws?key=${encodeURIComponent(key)}`);
    this.socket.onmessage = (event) => this.onMessage(JSON.parse(event.data));
    this.socket.onclose = () => {
      this.onLost();
      setTimeout(() => this.open(), RECONNECT);
    };
  }

  /** @param {object} request */
  send(request) {
    this.socket?.send(JSON.stringify(request));
  }
}
