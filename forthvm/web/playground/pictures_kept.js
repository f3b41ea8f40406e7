/**
 * The pictures of the author's files, which the browser remembers in a database: they are too large for its local storage.
 */

const STORE = "pictures", KEY = "last";

/** @returns {Promise<IDBDatabase>} */
const opened = () => new Promise((done, fail) => {
  const request = indexedDB.open("forthvm.playground", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  request.onsuccess = () => done(request.result);
  request.onerror = () => fail(request.error);
});

/** @param {Map<string, Blob>} pictures */
export async function rememberPictures(pictures) {
  try {
    (await opened()).transaction(STORE, "readwrite").objectStore(STORE).put(pictures, KEY);
  } catch {
    // Not remembered: the browser does not allow it.
  }
}

/** @returns {Promise<Map<string, Blob>>} */
export async function rememberedPictures() {
  try {
    const request = (await opened()).transaction(STORE).objectStore(STORE).get(KEY);
    return await new Promise((done, fail) => {
      request.onsuccess = () => done(request.result instanceof Map ? request.result : new Map());
      request.onerror = () => fail(request.error);
    });
  } catch {
    return new Map();
  }
}
