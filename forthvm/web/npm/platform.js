/**
 * What the package needs of browsers; node.js replaces it.
 */

export const platform = {
  /** Compile the core. */
  async core() {
    const response = await fetch(new URL("./core.wasm", import.meta.url));
    if (!response.ok) throw new Error(`core.wasm is missing: ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
  },
  /** Start the worker of an engine. */
  worker: () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }),
};
