/**
 * The worker's side of helper.js: requests are granted one after another.
 */

/** Grant the requests that come to this worker. @param {Record<string, (request: any) => unknown>} requests By their names. */
export function grantRequests(requests) {
  /** @param {{id: number, do: string}} request */
  const answer = async (request) => {
    const { id } = request;
    try {
      self.postMessage({ id, value: await requests[request.do](request) });
    } catch (error) {
      const { status } = /** @type {{status?: number}} */ (error); // of a ScriptError
      self.postMessage({ id, error: error instanceof Error ? error.message : String(error), status });
    }
  };
  let answered = Promise.resolve(); // loading takes time, so requests wait for those before them
  self.onmessage = ({ data }) => { answered = answered.then(() => answer(data)); };
}
