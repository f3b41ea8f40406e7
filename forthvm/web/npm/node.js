/**
 * The package in node: files instead of addresses, threads with the methods of workers.
 */
import { readFile } from "node:fs/promises";
import { Worker as Thread } from "node:worker_threads";
import { platform } from "./platform.js";

export * from "./index.js";

platform.core = async () => WebAssembly.compile(await readFile(new URL("./core.wasm", import.meta.url)));

platform.worker = () => {
  const thread = new Thread(new URL("./node-worker.js", import.meta.url));
  const worker = {
    onmessage: null,
    onerror: null,
    postMessage: (message) => thread.postMessage(message),
    terminate: () => { thread.terminate(); },
  };
  thread.on("message", (data) => worker.onmessage?.({ data }));
  thread.on("error", (error) => worker.onerror?.(error));
  return worker;
};
