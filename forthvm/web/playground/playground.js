/**
 * The shell of the playground: loads the files after each change, and passes what comes of it to editor, console and board.
 *
 * @import { Answer, Played, Problem } from "./loader.js"
 * @import { Compiled, Finding } from "./rulefiles.js"
 * @import { Dropped } from "../page/dropping.js"
 * @import { Example } from "./drawing.js"
 * @import { Sources } from "./files.js"
 * @typedef {(Example | {game?: undefined}) & {title: string, main: string, files: import("../offline/loading.js").Text[]}} Bundled a bundled
 *   game, or a lesson, which comes without a drawing
 * @typedef {{library: import("../offline/loading.js").Text[], looks: object, engines: object, editor: import("./dictionary.js").Tables, examples: {name: string, title: string}[], readsRuleFiles: boolean}} Data
 */
import { Helper, scriptWorker } from "../offline/helper.js";
import { ask } from "../page/ask.js";
import { byId, make, options, saveAs } from "../page/dom.js";
import { chosenFiles, onDrop } from "../page/dropping.js";
import { remembered } from "../page/preferences.js";
import { browserLanguage, loadTexts, text } from "../page/texts.js";
import { archiveOf } from "./archive.js";
import { Commands } from "./commands.js";
import { Console } from "./console.js";
import { Dictionary } from "./dictionary.js";
import { download } from "./download.js";
import { Files, isFileName, rememberedSources, rememberSources } from "./files.js";
import { fragmentOf, sourcesIn } from "./link.js";
import { filesOf, gamesIn } from "./opening.js";
import { rememberedPictures, rememberPictures } from "./pictures_kept.js";
import { setUpMenus } from "./menus.js";
import { isRuleFile, placed, placeOf, RuleFiles, scriptName } from "./rulefiles.js";
import { hideRefusal, showRefusal } from "./refusal.js";
import { Stepping } from "./stepping.js";

const PAUSE = 80; // milliseconds without a key before the files are loaded
const LONGER_PAUSE = 400; // the same for rule files
const PATIENCE = 20_000; // milliseconds for loading and for a line; the core ends most endless loops earlier
const MAX_PICTURES = 6; // missing ones that are named
const FIRST = "tictactoe";
const PHRASES = {
  Find: "find", Replace: "replace", next: "next", previous: "previous", all: "all", "match case": "match-case", regexp: "regexp",
  "by word": "by-word", replace: "replace", "replace all": "replace-all", close: "close", Completions: "completions", Diagnostics: "problems",
};

/** @type {Map<string, Promise<any>>} */ const answers = new Map();

/** What a file of the site contains, which is fetched once. @param {string} address @returns {Promise<any>} */
function fetched(address) {
  const answer = answers.get(address) ?? fetch(address).then((response) => response.json());
  answers.set(address, answer);
  answer.catch(() => answers.delete(address));
  return answer;
}

const language = () => remembered("language") || browserLanguage();

const frame = /** @type {HTMLIFrameElement} */ (byId("frame"));
const boardListens = new Promise((resolve) => {
  addEventListener("message", ({ source, data: said }) => { if (source === frame.contentWindow && said === "ready") resolve(true); });
});
frame.src = "board.html";

class Playground {
  /** @type {Bundled | null} */ #example = null;
  #shown = 0; // the number of the game on the board
  #loads = 0; // the answer to an earlier request for loading does not count
  #timer = 0; // of the next loading, while it waits for more keys; else 0
  /** The last loading. @type {Promise<void> | undefined} */ #loading;
  #isEdited = false; // whether choosing an example would lose something
  #isLoaded = false; // whether the worker has loaded the files, so that the console has something to run
  #isOther = true; // whether the board shall begin a new game
  /** The moves made on the board. @type {Played} */ #played = { seed: null, moves: [] };
  /** @type {string[]} */ #legal = [];
  /** The lines of the console that have changed the dictionary. @type {string[]} */ #definitions = [];
  #undoable = 0; // the number of lines of the console that can be undone
  /** @type {Answer["game"]} */ #game = null; // that was loaded last
  #hasGame = false; // whether what was loaded last can be played
  /** What was loaded last, if it has a board. @type {object | null} */ #program = null;
  /** The position on the board. @type {Played | null} */ #position = null;
  /** What the check of the rule file has found, until it changes. @type {Finding[]} */ #findings = [];
  /** The rule file that was compiled last. @type {Compiled | null} */ #compiled = null;
  /** The error of the last loading. @type {Problem | null} */ problem = null;

  /** @param {Data} data @param {WebAssembly.Module} wasm @param {{loader: string, board: string, debugger: string, rules: string}} workers @param {Files} files @param {boolean} isEdited */
  constructor(data, wasm, workers, files, isEdited) {
    this.#isEdited = isEdited;
    this.wasm = wasm;
    this.workers = workers;
    this.files = files;
    this.loader = new Helper(scriptWorker(workers.loader), { do: "begin", wasm, texts: data.library, looks: data.looks, engines: data.engines });
    this.rules = data.readsRuleFiles ? new RuleFiles(workers.rules) : null;
    const dictionary = new Dictionary(data.editor, () => [...[...this.#definitions].reverse(), ...[...this.files.files, ...data.library].map((file) => file.text)]);
    const commands = new Commands(dictionary, { undo: () => this.#undo(), moves: () => this.#legal, request: (request) => this.#tellBoard({ is: "request", request }) });
    this.console = new Console({
      onLine: (line) => this.#enter(line, commands.run(line)), onStop: () => this.#stop(), onUndo: () => this.#undo(),
      names: () => [...commands.names, ...dictionary.names],
    });
    this.editor = /** @type {any} */ (globalThis).codeEditor.createEditor({
      parent: byId("editor"), tables: data.editor, texts: () => this.files.files.map((file) => file.text),
      onChange: (/** @type {string} */ changed) => this.#change(changed), onBreakpoint: () => this.#setBreakpoints(),
      sayBreakpoint: (/** @type {boolean} */ on, /** @type {number} */ line) => text(on ? "stepping.point-set" : "stepping.point-removed", { line }),
    });
    this.stepping = new Stepping({
      worker: workers.debugger, wasm,
      onStop: (place) => this.#showStop(place),
      onScene: (scene) => this.#tellBoard({ is: "scene", scene }),
    });
    this.debug = /** @type {HTMLButtonElement} */ (byId("debug"));
    this.debug.onclick = () => this.#debug();
    this.examples = /** @type {HTMLSelectElement} */ (byId("examples"));
    this.examples.append(...options([["", "–"], ...data.examples.map(({ name, title }) => /** @type {[string, string]} */ ([name, title]))], files.example));
    this.examples.onchange = () => this.#choose(this.examples.value);
    this.variants = /** @type {HTMLSelectElement} */ (byId("variants"));
    this.variants.onchange = () => this.#chooseVariant(Number(this.variants.value));
    for (const [button, field] of [["open", "open-files"], ["open-folder", "open-folder-files"]]) {
      const input = /** @type {HTMLInputElement} */ (byId(field));
      byId(button).onclick = () => input.click();
      input.onchange = () => this.#openFiles(chosenFiles(input));
      byId(button).hidden = field === "open-folder-files" && !("webkitdirectory" in input);
    }
    setUpMenus();
    byId("save").onclick = () => this.#save();
    byId("check").onclick = () => this.#check();
    onDrop((opened) => this.#openFiles(opened));
    byId("share").onclick = () => this.#share();
    byId("download").onclick = () => this.#download();
    byId("new-file").onclick = () => this.#name("", (name) => this.files.add(name));
    byId("rename").onclick = () => this.#name(this.files.current, (name) => this.files.rename(name));
    byId("delete").onclick = () => this.#delete();
    byId("set-main").onclick = () => { this.files.main = this.files.current; this.#afterChange(); };
    addEventListener("message", ({ source, data: told }) => { if (source === frame.contentWindow) this.#hear(told); });
    addEventListener("storage", ({ key }) => { if (key === "forthvm.theme" || key === "forthvm.language") this.translate(); });
  }

  /** The board says something. @param {any} told */
  #hear(told) {
    if (told?.is === "moved") this.#moved(told);
    else if (told?.is === "shown") this.#follow(told);
    else if (told?.is === "why not") this.#explain(told);
    else if (told?.is === "opened") this.#openFiles(told.opened);
  }

  /** Use the language and the colours that the person has chosen beside the board. */
  async translate() {
    const theme = remembered("theme");
    document.documentElement.style.colorScheme = theme === "light" || theme === "dark" ? theme : "";
    await loadTexts(language(), (name) => fetched(`page/${name}.json`));
    document.title = text("playground.title");
    this.editor.translate(text("playground.sources"), Object.fromEntries(Object.entries(PHRASES).map(([phrase, key]) => [phrase, text(`editor.${key}`)])));
    this.#showFiles();
    this.stepping.translate();
  }

  /** Show other sources. @param {Files} files */
  async open(files) {
    this.#example = this.#isKnown(files.example) ? await fetched(`games/${files.example}.json`) : null;
    this.files = files;
    this.examples.value = files.example;
    this.#isOther = true;
    if (!isRuleFile(files.main)) this.#showVariants({ titles: [], variant: 0 });
    this.editor.clear(files.breakpoints);
    this.console.clear();
    byId("game").classList.add("waiting");
    this.#showFiles();
    await this.load();
  }

  /** Whether a name, which may come from a link, is that of an example. @param {string} name */
  #isKnown(name) {
    return name !== "" && [...this.examples.options].some(({ value }) => value === name);
  }

  // --- files ---------------------------------------------------------------------------------

  #showFiles() {
    const { files, current, main } = this.files;
    byId("names").replaceChildren(...files.map(({ name }) => make("li", {}, make(
      "button",
      { className: name === main ? "main" : "", ...(name === current ? { "aria-current": "true" } : {}), onclick: () => this.#show(name) },
      name === main ? text("playground.main", { name }) : name,
    ))));
    byId("check").hidden = !this.rules || !isRuleFile(main);
    for (const id of ["delete", "set-main"]) /** @type {HTMLButtonElement} */ (byId(id)).disabled = current === main;
    this.editor.open(current, this.files.text);
    this.#markProblem();
  }

  /** @param {string} name */
  #show(name) {
    this.files.current = name;
    this.#showFiles();
  }

  /** @param {string} changed The text of the file that is shown. */
  #change(changed) {
    this.files.text = changed;
    this.files.breakpoints = this.editor.breakpoints();
    this.#isEdited = true;
    this.#remember(this.files.sources);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.load(), isRuleFile(this.files.main) ? LONGER_PAUSE : PAUSE);
  }

  /** After a change of the list of files. */
  #afterChange() {
    this.#isEdited = true;
    this.#remember(this.files.sources);
    this.#showFiles();
    this.load();
  }

  /** Ask for the name of a file. @param {string} before @param {(name: string) => void} use */
  #name(before, use) {
    const dialog = /** @type {HTMLDialogElement} */ (byId("name-dialog")), field = /** @type {HTMLInputElement} */ (byId("name"));
    field.value = before || "new.4th";
    dialog.returnValue = "";
    dialog.onclose = () => {
      const name = field.value.trim();
      if (dialog.returnValue !== "yes" || name === before) return;
      const other = this.files.find(name);
      if (!isFileName(name) || (other && other.name !== before)) this.#say(text("playground.bad-name"));
      else {
        use(name);
        this.#afterChange();
      }
    };
    dialog.showModal();
    field.select();
  }

  async #delete() {
    const { current } = this.files;
    if (!(await ask(text("playground.delete-file", { name: current }), text("playground.delete")))) return;
    this.files.delete();
    this.#afterChange();
  }

  /** Replace the files by those of an example. @param {string} name */
  async #choose(name) {
    if (!name) return;
    const { files, main } = await fetched(`games/${name}.json`);
    await this.#replace(new Files({ files, main, example: name }));
    this.examples.value = this.files.example;
  }

  /** Open files that a person has chosen or dropped. @param {Dropped[]} opened */
  async #openFiles(opened) {
    try {
      const files = await filesOf(opened);
      if (files) {
        await this.#replace(files);
        if (files !== this.files) return;
        if (gamesIn(files.files).length > 1) this.console.print("note", text("playground.several-games", { file: files.main }));
        if (this.#hasGame) byId("game").scrollIntoView(); // on phones it is below
      } else this.#say(text("playground.nothing-opened"));
    } catch (error) {
      const { code } = /** @type {{code?: string}} */ (error);
      this.#say(text(code ? `playground.${code}` : "playground.damaged-archive"));
    }
  }

  /** Show other files, unless the person wants to keep those that are here. @param {Files} files */
  async #replace(files) {
    if (this.#isEdited && !(await ask(text("playground.replace"), text("playground.replace-yes")))) return;
    this.#isEdited = false;
    this.#remember(files.sources);
    rememberPictures(files.pictures);
    await this.open(files);
  }

  /** Let the browser save all files as an archive. */
  async #save() {
    const { files, pictures } = this.files;
    const texts = files.map((file) => /** @type {[string, Blob]} */ ([file.name, new Blob([file.text])]));
    saveAs(`${this.#baseName}.zip`, await archiveOf([...texts, ...pictures]));
  }

  /** Play another game of the rule file. @param {number} variant */
  async #chooseVariant(variant) {
    this.files.variant = variant;
    this.#isOther = true;
    this.#remember(this.files.sources);
    await this.load();
  }

  async #share() {
    const fragment = await fragmentOf(this.files.sources);
    if (!fragment) {
      this.#say(text("playground.too-long"));
      return;
    }
    history.replaceState(null, "", fragment);
    try {
      await navigator.clipboard.writeText(location.href);
      this.#say(text("playground.copied"));
    } catch {
      this.#say(text("playground.in-address"));
    }
  }

  async #download() {
    if (this.#game && !this.problem) await download(this.#game, this.#title, `${this.#baseName}.html`);
    else this.#say(text("playground.no-game"));
  }

  /** The name of the main file, without folders and kind. */
  get #baseName() {
    return this.files.main.replace(/^.*\/|\.(?:4th|zrf)$/gi, "");
  }

  get #title() {
    return this.#compiled?.title ?? this.#example?.title ?? this.files.main;
  }

  /** @param {Sources} sources */
  #remember(sources) {
    if (!rememberSources(sources)) this.#say(text("playground.not-remembered"));
  }

  /** @param {string} words */
  #say(words) {
    byId("message").textContent = words;
    clearTimeout(this.hiding);
    this.hiding = setTimeout(() => { byId("message").textContent = ""; }, 6000);
  }

  // --- loading -------------------------------------------------------------------------------

  /** Load the files, and show the game. */
  async load() {
    this.#played = { seed: null, moves: [] };
    this.#definitions = [];
    await this.#loadAgain();
  }

  /** Load the files, and go on with the definitions of the console. */
  #loadAgain() {
    this.#loading = this.#loadFiles();
    return this.#loading;
  }

  async #loadFiles() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.loader.stopIfBusy();
    const { files, main } = this.files, example = this.#example?.game && { game: this.#example.game, tables: this.#example.tables, engines: this.#example.engines };
    this.#isLoaded = false;
    this.stepping.end();
    hideRefusal();
    this.debug.disabled = true;
    this.#hasGame = false;
    this.#compiled = null;
    this.#findings = [];
    const turn = ++this.#loads, rules = isRuleFile(main) ? await this.#compile(turn) : null;
    if (turn !== this.#loads || (isRuleFile(main) && !rules)) return;
    const answer = await this.#ask({ do: "load", example, ...(rules ?? { files, main }), definitions: this.#definitions });
    if (!answer) return;
    const number = this.#loads;
    if (rules && answer.game) await this.rules?.draw(answer.game).catch((error) => this.console.print("problem", error.message));
    if (number !== this.#loads) return;
    if (rules && answer.game && this.#isOther) this.#notePictures();
    this.#isLoaded = true;
    this.#program = answer.program ?? null;
    this.#position = null;
    this.debug.disabled = !answer.program || answer.game !== null; // a game is debugged as soon as the board shows it
    this.#showProblem(answer.problem);
    this.console.print("printed", answer.output);
    this.#showState(answer);
    this.#hasGame = answer.game !== null;
    if (!answer.game) return;
    this.#game = answer.game;
    this.#showGame();
  }

  /** Compile the rule file; null if that fails, or if there is a newer request. @param {number} turn @returns {Promise<{files: object[], main: string} | null>} */
  async #compile(turn) {
    const { files, main } = this.files;
    if (!this.rules) {
      this.#showProblem({ text: text("playground.no-python"), place: null });
      return null;
    }
    if (this.rules.isCold) byId("problem").textContent = text("playground.python");
    this.console.setBusy(true);
    try {
      const compiled = await this.rules.compile(this.files);
      if (!compiled || turn !== this.#loads) return null;
      if (compiled.problem) {
        this.#showProblem(placed(compiled.problem, files));
        return null;
      }
      this.#compiled = compiled;
      this.#showVariants(compiled);
      const script = compiled.script === null ? [] : [{ name: scriptName(main), text: compiled.script }];
      return { files: [...script, ...files.filter(({ name }) => !isRuleFile(name))], main: compiled.plugin ?? script[0].name };
    } catch (error) {
      if (turn === this.#loads) this.#showProblem({ text: /** @type {Error} */ (error).message, place: null });
      return null;
    } finally {
      if (turn === this.#loads) this.console.setBusy(false);
    }
  }

  /** Check the rule file: mark what is found in its lines, and print it. */
  async #check() {
    if (!this.rules) return;
    try {
      this.#findings = await this.rules.check(this.files);
    } catch (error) {
      this.console.print("problem", /** @type {Error} */ (error).message);
      return;
    }
    this.#markProblem();
    for (const finding of this.#findings) this.console.print(finding.severity === "error" ? "problem" : "note", this.#described(finding));
    if (!this.#findings.length) this.console.print("note", text("playground.nothing-found"));
  }

  /** Offer the games of a rule file. @param {Pick<Compiled, "titles" | "variant">} compiled */
  #showVariants({ titles, variant }) {
    byId("variants-row").hidden = titles.length < 2;
    this.variants.replaceChildren(...options(titles.map((title, at) => [String(at), title]), String(variant)));
  }

  /** Ask the worker; null if another request came in between, or it was stopped. @param {object} request @returns {Promise<Answer | null>} */
  async #ask(request) {
    const number = ++this.#loads;
    this.console.setBusy(true);
    try {
      const answer = await this.loader.ask(request, { patience: PATIENCE });
      return number === this.#loads ? answer : null;
    } catch (error) {
      if (number === this.#loads) {
        this.#isLoaded = false;
        this.console.print("problem", /** @type {Error} */ (error).message);
      }
      return null;
    } finally {
      if (number === this.#loads) this.console.setBusy(false);
    }
  }

  /** Run a line of the console. @param {string} line @param {string | null} printed What it prints if it is a command. */
  async #enter(line, printed) {
    if (printed !== null) {
      this.console.print("printed", printed);
      return;
    }
    if (this.#timer) this.load(); // the text has just been changed
    for (let loading; loading !== this.#loading; await loading) loading = this.#loading;
    if (!this.#isLoaded) await this.#loadAgain();
    this.#showAnswer(await this.#ask({ do: "line", text: line, ...this.#played }));
  }

  /** Undo the last line of the console. */
  async #undo() {
    if (this.console.isBusy || !this.#isLoaded || !this.#undoable) return;
    const answer = await this.#ask({ do: "undo" });
    this.#showAnswer(answer);
    if (answer) this.console.print("note", text("playground.undone", { line: answer.undone }));
  }

  /** @param {Answer | null} answer */
  #showAnswer(answer) {
    if (!answer) return;
    this.console.print("printed", answer.output);
    this.console.print("problem", answer.problem?.text ?? "");
    this.#showState(answer);
  }

  /** @param {Answer} answer */
  #showState(answer) {
    this.#definitions = answer.definitions;
    this.#undoable = answer.undoable;
    this.console.showState(answer);
  }

  /** A move was made on the board, or taken back. @param {Played & {game: number, legal: string[]}} said */
  async #moved({ game, seed, moves, legal }) {
    if (game !== this.#shown) return;
    this.#played = { seed, moves };
    this.#legal = legal;
    if (this.#undoable && this.#isLoaded && !this.console.isBusy) this.#showAnswer(await this.#ask({ do: "go", ...this.#played }));
    else this.console.showPlace(moves.length);
  }

  /** End what runs, and what was loaded with it; the next line of the console loads the files again. */
  #stop() {
    this.#loads++;
    this.#isLoaded = false;
    this.loader.stop();
    this.rules?.stopIfBusy();
    this.console.setBusy(false);
    this.console.print("note", text("playground.stopped"));
  }

  async #showGame() {
    const game = this.#game;
    await boardListens;
    if (game !== this.#game) return; // a newer one has been loaded meanwhile
    byId("game").classList.remove("waiting");
    this.#tellBoard({ is: "game", number: ++this.#shown, wasm: this.wasm, worker: this.workers.board, title: this.#title, keepsMoves: !this.#isOther, game });
    this.#isOther = false;
  }

  /** @param {object} message */
  #tellBoard(message) {
    frame.contentWindow?.postMessage(message, location.origin);
  }

  // --- the debugger --------------------------------------------------------------------------

  /** A breakpoint was set or removed. */
  #setBreakpoints() {
    this.files.breakpoints = this.editor.breakpoints();
    this.#remember(this.files.sources);
    this.stepping.setBreakpoints(this.files.breakpoints);
  }

  /** What was loaded last; its tables only if it can be played. */
  get #debugged() {
    const tables = this.#hasGame ? /** @type {NonNullable<Answer["game"]>} */ (this.#game).tables : null;
    return { program: /** @type {object} */ (this.#program), tables };
  }

  /** Step through the moves of the position on the board, or of the start of a game that is not there. @param {number} [at] The step at which to stop. */
  async #debug(at) {
    const game = this.#debugged, position = (game.tables && this.#position) ?? { seed: null, moves: [] };
    if (game.program) await this.stepping.begin(game, position, { breakpoints: this.editor.breakpoints(), ...(at ? { at } : {}) });
  }

  /** Explain why a click on the board was refused. @param {Played & {game: number, node: number, squares: string[]}} said */
  async #explain({ game, node, seed, moves, squares }) {
    if (game !== this.#shown || !this.#hasGame) return;
    const found = await this.stepping.whyNot(this.#debugged, { seed, moves }, squares).catch((/** @type {Error} */ error) => error.message);
    if (game !== this.#shown || !found) return;
    const words = typeof found === "string" ? found : showRefusal(squares, found, ({ place, step }) => this.#openRefusal(place, step));
    this.#tellBoard({ is: "why not", node, squares, kind: "other", reasons: [{ code: "script", values: {}, text: words }], legal: [], code: [] });
  }

  /** Show a decision in the editor, and step there. @param {import("../offline/author.js").Place | null} place @param {number} step */
  async #openRefusal(place, step) {
    await this.#debug(step);
    const file = place && this.files.find(place.file);
    if (!file) return;
    if (file.name !== this.files.current) this.#show(file.name);
    this.editor.goTo(place.from);
  }

  /** Another position is on the board. @param {Played & {game: number}} said */
  #follow({ game, seed, moves }) {
    if (game !== this.#shown) return;
    this.#position = { seed, moves };
    this.stepping.close();
    hideRefusal();
    this.debug.disabled = !this.#program;
  }

  /** @param {import("../offline/author.js").Place | null} place */
  async #showStop(place) {
    const origin = await this.#origin(place), shown = origin && this.files.find(origin.file) ? origin : null;
    if (shown && shown.file !== this.files.current) this.#show(shown.file);
    this.editor.stopAt(shown);
  }

  /** A place in the rule file for one in the script that it is compiled to. @param {import("../offline/author.js").Place | null} place */
  async #origin(place) {
    return this.rules ? this.rules.origin(place, this.files, this.#compiled) : place;
  }

  // --- errors --------------------------------------------------------------------------------

  /** The error, with its place. @param {Problem | null} problem */
  #described(problem) {
    const words = [problem?.text, ...(problem?.isMissing ? [text("playground.open-together")] : [])].join("; ");
    if (!problem?.place) return words;
    const { file, line } = problem.place;
    return this.files.find(file) ? text("playground.at", { file, line, problem: words }) : words;
  }

  /** Say which pictures of the rule file are missing or damaged. */
  #notePictures() {
    const { missing = [], damaged = [] } = this.rules?.pictures ?? {};
    if (missing.length) {
      const shown = missing.slice(0, MAX_PICTURES).join(", "), more = missing.length - MAX_PICTURES;
      const words = text("playground.missing-pictures", { pictures: more > 0 ? `${shown} …` : shown });
      this.console.print("note", this.#described({ text: words, place: placeOf(missing[0], this.files), isMissing: true }));
    }
    for (const words of damaged) this.console.print("note", words);
  }

  /** @param {Problem | null} problem */
  #showProblem(problem) {
    this.problem = problem;
    this.#markProblem();
    this.console.print("problem", this.#described(problem));
  }

  #markProblem() {
    const place = this.problem?.place;
    const problems = this.problem ? [{ ...this.problem, severity: "error" }] : this.#findings;
    this.editor.mark(problems.flatMap(({ text: message, place: at, severity }) => (
      at && this.files.find(at.file)?.name === this.files.current ? [{ from: at.from, to: at.to, message, severity }] : []
    )));
    const words = this.#described(this.problem ?? null), goes = place && this.files.find(place.file);
    byId("problem").replaceChildren(...(!words ? [] : goes ? [make("button", { onclick: () => { this.#show(goes.name); this.editor.goTo(place.from); } }, words)] : [words]));
  }
}

/** @param {string} address */
const fetchedText = async (address) => (await fetch(address)).text();

const saved = rememberedSources();
for (const name of ["page/en", `page/${language()}`, ...(saved ? [] : [`games/${FIRST}`])]) fetched(`${name}.json`).catch(() => {}); // needed soon
const [data, wasm, loader, board, debuggerWorker, rules, first] = await Promise.all([
  fetched("data.json"), WebAssembly.compileStreaming(fetch("core.wasm")).catch(async () => WebAssembly.compile(await (await fetch("core.wasm")).arrayBuffer())),
  fetchedText("page/loader-worker.js"), fetchedText("page/board-worker.js"), fetchedText("page/debugger-worker.js"), fetchedText("page/rule-worker.js"),
  sourcesIn(location.hash),
]);
const known = first ?? saved;
const pictures = known && known === saved ? await rememberedPictures() : new Map();
const start = new Files(known ?? { ...(await fetched(`games/${FIRST}.json`)), example: FIRST }, pictures);
const playground = new Playground(data, wasm, { loader, board, debugger: debuggerWorker, rules }, start, known !== null);
await playground.translate();
const replacesSaved = first && saved && JSON.stringify(first) !== JSON.stringify(saved);
const isKept = replacesSaved && !(await ask(text("playground.replace"), text("playground.replace-yes")));
await playground.open(isKept ? new Files(saved, await rememberedPictures()) : start);
navigator.serviceWorker?.register("service-worker.js").catch(() => {}); // without it, the page needs the network
