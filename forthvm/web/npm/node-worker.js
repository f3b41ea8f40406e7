/**
 * The worker as a thread of node.
 */
import { parentPort } from "node:worker_threads";

globalThis.self = { postMessage: (message) => parentPort.postMessage(message) };
await import("./worker.js");
parentPort.on("message", (data) => self.onmessage({ data }));
