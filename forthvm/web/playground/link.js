/**
 * Links that hold sources in their fragment, which browsers do not send to servers.
 *
 * @import { Sources } from "./files.js"
 */
import { readSources } from "./files.js";

const VERSION = "#1.";
const MAX_LINK = 32_000; // characters; longer addresses are cut by some programs
const MAX_BYTES = 4_000_000; // of the text that a link unpacks to

/** The end of a link to sources; null if it would be too long. @param {Sources} sources */
export async function fragmentOf(sources) {
  const stream = new Blob([JSON.stringify(sources)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  if (bytes.length > MAX_LINK * 3 / 4 - VERSION.length) return null;
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return VERSION + text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The sources in the end of a link; null if it holds none. @param {string} fragment */
export async function sourcesIn(fragment) {
  if (!fragment.startsWith(VERSION) || fragment.length > MAX_LINK) return null;
  try {
    const text = atob(fragment.slice(VERSION.length).replaceAll("-", "+").replaceAll("_", "/"));
    const stream = new Blob([Uint8Array.from(text, (character) => character.charCodeAt(0))]).stream();
    return readSources(JSON.parse(await textOf(stream.pipeThrough(new DecompressionStream("deflate-raw")))));
  } catch {
    return null;
  }
}

/** A text that is not too long. @param {ReadableStream<Uint8Array>} stream */
async function textOf(stream) {
  const reader = stream.getReader(), decoder = new TextDecoder();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length > MAX_BYTES) throw new Error("too long");
  }
  return text + decoder.decode();
}
