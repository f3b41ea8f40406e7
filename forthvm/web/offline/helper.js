/**
 * A worker as an object: requests are promises, and the worker can be ended and started again at any time.
 */

const PATIENCE = 30_000; // milliseconds; the core ends a script's endless loop earlier

/** A function that starts a worker with a script. @param {string} source @param {WorkerType} [type] */
export function scriptWorker(source, type = "classic") {
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  return () => new Worker(address, { type });
}

export class Helper {
  /**
   * @param {() => Worker} start
   * @param {object} load The first request, which loads the game.
   * @param {{patience?: number}} [options] patience: that for the first request.
   */
  constructor(start, load, { patience = PATIENCE } = {}) {
    this.start = start;
    this.loadRequest = load;
    this.loadPatience = patience;
    /** @type {Worker | null} */ this.worker = null;
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void, onInfo: (info: any) => void,
     *   timer: ReturnType<typeof setTimeout> | undefined}>} The requests without an answer. */
    this.open = new Map();
    this.lastId = 0;
  }

  /**
   * Send a request; the worker is started if there is none.
   * @param {object} request
   * @param {{patience?: number, onInfo?: (info: any) => void}} [options] patience: milliseconds until the worker
   *   counts as stuck; 0: no limit.
   * @returns {Promise<any>} Fails with the error of the worker; `status` is that of a script's error.
   */
  ask(request, { patience = PATIENCE, onInfo = () => {} } = {}) {
    if (!this.worker) {
      this.worker = this.start();
      this.worker.onmessage = ({ data }) => this.#receive(data);
      this.worker.onerror = (event) => this.stop(event.message);
      this.#post(this.loadRequest, this.loadPatience, () => {}).catch((error) => this.stop(error.message));
    }
    return this.#post(request, patience, onInfo);
  }

  /** End the worker if it is running a request. */
  stopIfBusy() {
    if (this.open.size) this.stop();
  }

  /** End the worker; open requests fail. @param {string} [reason] */
  stop(reason = "stopped") {
    this.worker?.terminate();
    this.worker = null;
    const open = [...this.open.values()];
    this.open.clear();
    for (const { reject, timer } of open) {
      clearTimeout(timer);
      reject(new Error(reason));
    }
  }

  /** @param {object} request @param {number} patience @param {(info: any) => void} onInfo */
  #post(request, patience, onInfo) {
    const id = ++this.lastId;
    this.worker?.postMessage({ ...request, id });
    const timer = patience ? setTimeout(() => this.stop("the script does not answer"), patience) : undefined;
    return new Promise((resolve, reject) => this.open.set(id, { resolve, reject, onInfo, timer }));
  }

  /** @param {{id: number, value?: unknown, error?: string, status?: number, info?: unknown}} message */
  #receive({ id, value, error, status, info }) {
    const request = this.open.get(id);
    if (info !== undefined) {
      request?.onInfo(info);
      return;
    }
    this.open.delete(id);
    clearTimeout(request?.timer);
    if (error === undefined) request?.resolve(value);
    else request?.reject(Object.assign(new Error(error), { status }));
  }
}
