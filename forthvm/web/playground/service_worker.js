/**
 * The service worker of the playground: with it, the page also works without a network, once it has been loaded.
 *
 * It keeps a copy of all files of the site, which is used while the server cannot be reached.
 */

/** The files and a digest of their contents, which static_page.py fills in. */
const { digest, files } = { digest: "", files: [""] }; // SITE
const worker = /** @type {any} */ (self); // a ServiceWorkerGlobalScope
const prefix = `${worker.registration.scope} `, cacheName = prefix + digest;

/** Copy the files, without those that the browser has kept of an earlier version. */
async function install() {
  const cache = await caches.open(cacheName);
  await cache.addAll(files.map((file) => new Request(file, { cache: "no-cache" })));
  await worker.skipWaiting();
}

/** Remove the copies of earlier versions, and serve the pages that are open. */
async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((other) => other.startsWith(prefix) && other !== cacheName).map((other) => caches.delete(other)));
  await worker.clients.claim();
}

/** What the server answers, or else the copy. @param {Request} request */
async function answer(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const copy = await caches.match(request, { cacheName, ignoreSearch: true });
    if (copy) return copy;
    throw error;
  }
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (/** @type {any} */ event) => event.respondWith(answer(event.request)));
