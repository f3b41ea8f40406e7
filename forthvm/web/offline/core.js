/**
 * The C core as WebAssembly, with one game loaded: texts and numbers in place of addresses.
 *
 * It owns the calls of native/wasm/played_game.c.
 */

/**
 * @typedef {{text: string, top: boolean, main: boolean, bind: boolean}} Source A text to load: its bytes as
 *   characters, whether the host loads it (else LOAD does), whether it is the script, and whether names are
 *   bound after it.
 * @typedef {{print?: (text: string) => void, load?: (name: string) => number,
 *   begins?: (source: Source, at: number) => void}} Host What a page does with output of the script; how it loads the
 *   file that LOAD names, and returns the status (else the next text is loaded); and what it does before a text is
 *   interpreted, with the source position of its first byte.
 * @typedef {{sources: Source[], encoding: string, version: number, checked: boolean, memory: number,
 *   milliseconds: number, network?: (number | string)[]}} Program network: the fields of an fvm_network_spec, arrays in
 *   base64; engines evaluate positions by it.
 * @typedef {{kind: number, text: string, value: number}} Report
 */

/** An error of the script.  Its status is an fvm_status. */
export class ScriptError extends Error {
  /** Where a text is wrong: a line, and indices of characters. @type {{file: string, line: number, from: number, to: number} | null} */
  place = null;

  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

const HOST = 27; // FVM_ERR_HOST
export const NO_FILE = 28; // FVM_ERR_NO_FILE

export class Core {
  #sources = /** @type {Source[]} */ ([]);
  #next = 0;
  #host = /** @type {Host} */ ({});
  /** Why the last LOAD has failed. @type {ScriptError | null} */ #reason = null;
  /** The functions of the module. */ exports = /** @type {any} */ (null);
  /** The address to which functions write results. */ result = 0;
  /** Called with each report of an engine. @type {(report: Report) => void} */
  onReport = () => {};
  /** Called at each stop of a trace; returns whether the run ends. @type {() => boolean} */
  onTrace = () => false;

  /**
   * @param {WebAssembly.Module} module
   * @param {Program} program
   * @returns {Promise<Core>}
   */
  static async load(module, program) {
    const core = await Core.create(module, program);
    core.loadSources();
    if (program.network) core.#addNetwork(program.network);
    return core;
  }

  /**
   * @param {WebAssembly.Module} module
   * @param {Program} program
   * @param {Host} host
   * @returns {Promise<Core>} Its sources are not loaded.
   */
  static async create(module, program, host = {}) {
    const core = new Core(program);
    core.#host = host;
    const instance = await WebAssembly.instantiate(module, core.#imports());
    core.exports = /** @type {any} */ (instance.exports);
    core.exports._initialize();
    core.result = core.exports.malloc(8);
    core.check(core.exports.play_new(program.memory, program.version, +program.checked, program.milliseconds));
    return core;
  }

  /** Load the texts of the program. */
  loadSources() {
    while (this.#next < this.#sources.length) {
      const { bind } = this.#sources[this.#next];
      this.check(this.#interpretNext());
      if (bind) this.check(this.exports.play_bind());
    }
  }

  /** @param {(number | string)[]} fields */
  #addNetwork(fields) {
    const cells = fields.map((field) => (typeof field === "string" ? this.#copy(atob(field)) : field));
    const spec = this.exports.malloc(4 * cells.length); // pointers have 4 bytes, as numbers have
    cells.forEach((cell, at) => this.#view.setInt32(spec + 4 * at, cell, true));
    const status = this.exports.play_network(spec);
    for (const address of [...cells.filter((_, at) => typeof fields[at] === "string"), spec]) this.exports.free(address);
    this.check(status);
  }

  /** @param {Program} program Use `Core.load` instead. */
  constructor({ sources, encoding }) {
    this.#sources = sources;
    this.fallback = new TextDecoder(encoding === "cp1251" ? "windows-1251" : "latin1");
    this.utf8 = new TextDecoder("utf-8", { fatal: true });
  }

  #imports() {
    return {
      host: {
        /** @param {number} at @param {number} length */
        print: (at, length) => this.#host.print?.(this.decode(this.#memory.slice(at, at + length))),
        /** @param {number} name */
        load: (name) => this.#load(this.textAt(name)),
        /** @param {number} kind @param {number} text @param {number} value */
        report: (kind, text, value) => this.onReport({ kind, text: text ? this.textAt(text) : "", value }),
        trace: () => Number(this.onTrace()),
      },
      wasi_snapshot_preview1: {
        /** @param {number} clock @param {bigint} precision @param {number} to */
        clock_time_get: (clock, precision, to) => {
          const now = clock === 0 ? Date.now() : performance.now();
          this.#view.setBigUint64(to, BigInt(Math.round(now * 1e6)), true);
          return 0;
        },
        // wasi-libc's snprintf refers to these, but calls them only for numbers of type `long double`.
        fd_close: () => 0,
        fd_seek: () => 0,
        fd_write: () => 0,
      },
      env: { emscripten_notify_memory_growth: () => {} },
    };
  }

  // The memory's buffer is replaced when it grows, so it is not kept.
  get #memory() {
    return new Uint8Array(this.exports.memory.buffer);
  }

  get #view() {
    return new DataView(this.exports.memory.buffer);
  }

  /** The text that bytes of the script are. @param {Uint8Array} bytes */
  decode(bytes) {
    try {
      return this.utf8.decode(bytes);
    } catch {
      return this.fallback.decode(bytes);
    }
  }

  /** A text in memory. @param {number} address */
  textAt(address) {
    const memory = this.#memory;
    return this.decode(memory.slice(address, memory.indexOf(0, address)));
  }

  /** Copy bytes to memory, which the caller frees, with a zero after them. @param {string} characters */
  #copy(characters) {
    const address = this.exports.malloc(characters.length + 1);
    const memory = this.#memory;
    for (let at = 0; at < characters.length; at++) memory[address + at] = characters.charCodeAt(at);
    memory[address + characters.length] = 0;
    return address;
  }

  /**
   * Call a function with a text in memory.
   * @template T
   * @param {string} characters Its bytes as characters.
   * @param {(address: number) => T} use
   * @returns {T}
   */
  with(characters, use) {
    const address = this.#copy(characters);
    try {
      return use(address);
    } finally {
      this.exports.free(address);
    }
  }

  /** Load the file that LOAD names; returns a status. @param {string} name */
  #load(name) {
    const status = this.#host.load?.(name) ?? this.#loadNext();
    if (status === NO_FILE) this.#reason = new ScriptError(`file not found: ${name}`, status);
    else if (status && status !== HOST) this.#reason = this.#errorOf(status);
    return status;
  }

  #loadNext() {
    return this.#sources[this.#next]?.top === false ? this.#interpretNext() : NO_FILE;
  }

  /** Interpret the next text; it may LOAD those after it.  Returns a status. */
  #interpretNext() {
    return this.interpret(this.#sources[this.#next++]);
  }

  /** Interpret a text; returns a status. @param {Source} source */
  interpret(source) {
    const { text, main } = source;
    const at = this.exports.play_source_add(text.length);
    this.#host.begins?.(source, at);
    return this.with(text, (address) => this.exports.play_interpret(address, text.length, at, +main));
  }

  /** Throw the error that a status stands for, unless it is 0. @param {number} status */
  check(status) {
    if (status) throw status === HOST && this.#reason ? this.#reason : this.#errorOf(status);
  }

  /** @param {number} status */
  #errorOf(status) {
    return new ScriptError(this.textAt(this.exports.play_error_text(status)), status);
  }

  get resultCell() {
    return this.#view.getInt32(this.result, true);
  }

  // --- playing --------------------------------------------------------------------------

  /** Begin a new game. @param {number | null} seed Of the random streams; null: not seeded. */
  start(seed) {
    this.check(this.exports.play_start(seed === null ? 0 : 1, seed ?? 0));
  }

  /** @param {number} index */
  make(index) {
    this.check(this.exports.play_make(index));
  }

  /** Whether two moves lead to the same memory. @param {number} first @param {number} second */
  areEqual(first, second) {
    return Boolean(this.exports.play_equal(first, second));
  }

  /** Pass for a player without moves. */
  pass() {
    this.check(this.exports.play_pass());
  }

  takeBack() {
    this.check(this.exports.play_take_back());
  }

  /** Restore the memory of the current position, without its list of moves. */
  restore() {
    this.check(this.exports.play_restore());
  }

  /** The number of moves that were made. */
  get ply() {
    return this.exports.play_depth();
  }

  get moveCount() {
    return this.exports.play_count();
  }

  get moveTexts() {
    return Array.from({ length: this.moveCount }, (_, at) => this.textAt(this.exports.play_move_text(at)));
  }

  /** The result of OnIsGameOver. */
  get code() {
    return this.exports.play_result();
  }

  /** The result comment, if the game has ended. */
  get comment() {
    return this.textAt(this.exports.play_comment());
  }

  /** The number of successive passes of players without moves. */
  get skipped() {
    return this.exports.play_skipped();
  }

  get isPartial() {
    return Boolean(this.exports.play_is_partial());
  }

  /** The value of a variable of the library. @param {string} name */
  variable(name) {
    return this.with(name, (address) => this.exports.play_variable(address));
  }

  /** The cells that a function writes to memory. @param {number} count @param {(to: number) => void} write @returns {number[]} */
  cells(count, write) {
    const to = this.exports.malloc(4 * count + 1);
    try {
      write(to);
      return Array.from(new Int32Array(this.exports.memory.buffer, to, count));
    } finally {
      this.exports.free(to);
    }
  }

  /**
   * Cells, or bytes, of the current position.
   * @param {number} address
   * @param {number} count
   * @param {boolean} [asBytes]
   * @returns {number[]}
   */
  read(address, count, asBytes = false) {
    const size = asBytes ? count : 4 * count;
    const to = this.exports.malloc(size + 1);
    this.#memory.fill(0, to, to + size);
    this.exports.play_read(address, to, size);
    const buffer = this.exports.memory.buffer.slice(to, to + size);
    this.exports.free(to);
    return Array.from(asBytes ? new Uint8Array(buffer) : new Int32Array(buffer));
  }

  /**
   * Run a word and return its topmost result; its changes to memory are discarded.
   * @param {string} name
   * @param {number[]} cells Up to two arguments.
   */
  call(name, cells = []) {
    const [first = 0, second = 0] = cells;
    this.check(this.with(name, (at) => this.exports.play_call(at, 1, cells.length, first, second, this.result)));
    return this.resultCell;
  }

  // --- engines --------------------------------------------------------------------------

  /** Draw a move of a chance player by the game's random numbers. */
  draw() {
    this.check(this.exports.play_draw(this.result));
    return this.resultCell;
  }

  /** @param {boolean} used Whether searches use the network, if there is one. */
  useNetwork(used) {
    this.exports.play_use_network(+used);
  }

  /** @param {{depth: number, variety: number, seconds: number}} options @returns {number} -1: no move. */
  runScriptEngine({ depth, variety, seconds }) {
    this.check(this.exports.play_script_engine(depth, variety, seconds, this.result));
    return this.resultCell;
  }

  /**
   * @param {{method: number, features: number, depth: number, nodes: number, seconds: number, chance: number,
   *   countTurns: boolean, seed: number, samples: number}} options
   */
  search(options) {
    const { method, features, depth, nodes, seconds, chance, countTurns, seed, samples } = options;
    this.check(this.exports.play_search(
      method, features, depth, nodes, seconds, chance, +countTurns, seed, samples, this.result,
    ));
    return this.resultCell;
  }

  /**
   * Monte Carlo tree search.
   * @param {{playouts: number, seconds: number, chance: number, seed: number, steps: number,
   *   playoutSteps: number, mover: number}} options
   */
  searchTree({ playouts, seconds, chance, seed, steps, playoutSteps, mover }) {
    this.check(this.exports.play_tree_search(
      playouts, seconds, chance, seed, steps, playoutSteps, mover, this.result,
    ));
    return this.resultCell;
  }
}
