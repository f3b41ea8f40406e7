/**
 * Files that people drop on a page: one file, several, or folders with all that is in them.
 *
 * @import { Connection } from "./connection.js"
 * @typedef {[path: string, file: File]} Dropped
 */
const MOST_FILES = 5000; // the server refuses more
const MOST_BYTES = 256 * 2 ** 20;

/** Call a function with the files that are dropped anywhere on the page. @param {(files: Dropped[]) => void} receive */
export function onDrop(receive) {
  const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
  const mark = (/** @type {boolean} */ over) => document.body.classList.toggle("drop-target", over);
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(true);
  });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) mark(false); });
  addEventListener("drop", async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(false);
    // The browser forgets the items when the handler returns.
    const entries = [...event.dataTransfer?.items ?? []].map((item) => item.webkitGetAsEntry());
    receive(await filesIn(entries.filter((entry) => entry !== null)));
  });
}

/** The files that were chosen with a button, perhaps those of a folder. @param {HTMLInputElement} input @returns {Dropped[]} */
export function chosenFiles(input) {
  const files = [...input.files ?? []].map((file) => /** @type {Dropped} */ ([file.webkitRelativePath || file.name, file]));
  input.value = ""; // so that the same file can be chosen again
  return files;
}

/**
 * Send files to the server.
 * @param {Connection} connection
 * @param {Dropped[]} files
 * @returns {Promise<any>} The answer: an error, or the name by which the files can be opened.
 */
export async function store(connection, files) {
  const bytes = files.reduce((sum, [, file]) => sum + file.size, 0);
  if (files.length > MOST_FILES || bytes > MOST_BYTES) return { is: "error", code: "too-much-dropped" };
  try {
    return await connection.upload(files);
  } catch { // no connection, or a file that cannot be read any more
    return { is: "error", code: "not-received" };
  }
}

/** @param {FileSystemEntry[]} entries @returns {Promise<Dropped[]>} */
async function filesIn(entries) {
  /** @type {Dropped[]} */ const files = [];
  const pending = entries.filter(({ name }) => !name.startsWith("."));
  for (let entry; (entry = pending.shift()) && files.length <= MOST_FILES;) {
    const one = /** @type {FileSystemFileEntry & FileSystemDirectoryEntry} */ (entry);
    if (one.isFile) files.push([one.fullPath.slice(1), await new Promise((done, fail) => one.file(done, fail))]);
    else pending.push(...(await listed(one)).filter(({ name }) => !name.startsWith(".")));
  }
  return files;
}

/** The entries of a folder, of which the browser gives some at a time. @param {FileSystemDirectoryEntry} folder */
async function listed(folder) {
  const reader = folder.createReader();
  /** @type {FileSystemEntry[]} */ const all = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */ const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!some.length) return all;
    all.push(...some);
  }
}
