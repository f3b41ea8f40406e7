/** A request that cannot be granted. */
export class Refusal extends Error {
  /** @param {string} code A key of the catalogue of texts. @param {string} text */
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}
