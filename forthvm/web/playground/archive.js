/**
 * Zip archives: reading those of strangers, within limits, and writing one.
 *
 * @typedef {[name: string, contents: Blob]} Member
 */

const LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50; // signatures
const LOCAL_SIZE = 30, CENTRAL_SIZE = 46, END_SIZE = 22, MAX_COMMENT = 0xffff;
const STORED = 0, DEFLATED = 8, VERSION = 20;
const ENCRYPTED = 1, UTF8 = 0x800; // flags
export const MAX_MEMBERS = 2000, MAX_BYTES = 64 << 20;

/** Files cannot be opened.  The code is that of a text of the page. */
export class ArchiveError extends Error {
  /** @param {"damaged-archive" | "too-much-opened" | "no-text"} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** Whether a file is an archive, by its first bytes. @param {Blob} file */
export async function isArchive(file) {
  const head = new DataView(await file.slice(0, 4).arrayBuffer());
  return head.byteLength === 4 && [LOCAL, END].includes(head.getUint32(0, true));
}

/**
 * The files in an archive.
 * @param {Blob} archive
 * @param {(name: string) => boolean} isWanted Other files are not unpacked.
 * @returns {Promise<Member[]>}
 */
export async function unpacked(archive, isWanted) {
  /** @type {Member[]} */ const members = [];
  let left = MAX_BYTES;
  for (const { name, method, isEncrypted, size, at } of await listed(archive)) {
    if (!isWanted(name) || isEncrypted || ![STORED, DEFLATED].includes(method)) continue;
    const head = await view(archive, at, LOCAL_SIZE);
    if (head.getUint32(0, true) !== LOCAL) throw new ArchiveError("damaged-archive");
    const from = at + LOCAL_SIZE + head.getUint16(26, true) + head.getUint16(28, true);
    const packed = archive.slice(from, from + size);
    const contents = method === STORED ? packed : await inflated(packed, left);
    left -= contents.size;
    if (left < 0) throw new ArchiveError("too-much-opened");
    members.push([name, contents]);
  }
  return members;
}

/** The central directory of an archive, without folders. @param {Blob} archive */
async function listed(archive) {
  const tail = Math.max(archive.size - END_SIZE - MAX_COMMENT, 0), end = await view(archive, tail, archive.size - tail);
  let at = end.byteLength - END_SIZE;
  while (at >= 0 && end.getUint32(at, true) !== END) at--;
  if (at < 0) throw new ArchiveError("damaged-archive");
  const count = end.getUint16(at + 10, true), size = end.getUint32(at + 12, true), start = end.getUint32(at + 16, true);
  if (count > MAX_MEMBERS) throw new ArchiveError("too-much-opened");
  const directory = await view(archive, start, size);
  const found = [];
  for (let entry = 0, from = 0; entry < count; entry++) {
    if (from + CENTRAL_SIZE > size || directory.getUint32(from, true) !== CENTRAL) throw new ArchiveError("damaged-archive");
    const length = directory.getUint16(from + 28, true), next = from + CENTRAL_SIZE + length + directory.getUint16(from + 30, true) + directory.getUint16(from + 32, true);
    if (next > size) throw new ArchiveError("damaged-archive");
    const name = decodedName(new Uint8Array(directory.buffer, from + CENTRAL_SIZE, length));
    found.push({
      name, isEncrypted: Boolean(directory.getUint16(from + 8, true) & ENCRYPTED), method: directory.getUint16(from + 10, true),
      size: directory.getUint32(from + 20, true), at: directory.getUint32(from + 42, true),
    });
    from = next;
  }
  return found.filter(({ name }) => !name.endsWith("/"));
}

/** @param {Blob} archive @param {number} from @param {number} length */
async function view(archive, from, length) {
  const buffer = await archive.slice(from, from + length).arrayBuffer();
  if (buffer.byteLength < length) throw new ArchiveError("damaged-archive");
  return new DataView(buffer);
}

/** A name, in which old programs wrote backslashes. @param {Uint8Array} bytes */
function decodedName(bytes) {
  const text = new TextDecoder().decode(bytes);
  return (text.includes("\ufffd") ? new TextDecoder("windows-1252").decode(bytes) : text).replaceAll("\\", "/");
}

/** Unpack at most so many bytes. @param {Blob} packed @param {number} most */
async function inflated(packed, most) {
  const reader = packed.stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */ const parts = [];
  try {
    for (let part = await reader.read(), size = 0; !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > most) throw new ArchiveError("too-much-opened");
      parts.push(part.value);
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error instanceof ArchiveError ? error : new ArchiveError("damaged-archive");
  }
  return new Blob(parts);
}

/** An archive with files. @param {Member[]} members */
export async function archiveOf(members) {
  const parts = [], directory = [];
  let at = 0;
  for (const [name, contents] of members) {
    const encoded = new TextEncoder().encode(name), bytes = new Uint8Array(await contents.arrayBuffer());
    const packed = await new Response(contents.stream().pipeThrough(new CompressionStream("deflate-raw"))).blob();
    // Version, flags, method, time, date (1 January 1980), checksum, sizes, length of the name, no further fields.
    const facts = (/** @type {DataView} */ head, /** @type {number} */ from) => {
      [VERSION, UTF8, DEFLATED, 0, 0x21].forEach((value, index) => head.setUint16(from + 2 * index, value, true));
      [checksum(bytes), packed.size, bytes.length].forEach((value, index) => head.setUint32(from + 10 + 4 * index, value, true));
      head.setUint16(from + 22, encoded.length, true);
    };
    const local = new DataView(new ArrayBuffer(LOCAL_SIZE)), central = new DataView(new ArrayBuffer(CENTRAL_SIZE));
    local.setUint32(0, LOCAL, true);
    facts(local, 4);
    central.setUint32(0, CENTRAL, true);
    central.setUint16(4, VERSION, true);
    facts(central, 6);
    central.setUint32(42, at, true);
    parts.push(local, encoded, packed);
    directory.push(central, encoded);
    at += LOCAL_SIZE + encoded.length + packed.size;
  }
  const list = new Blob(directory), end = new DataView(new ArrayBuffer(END_SIZE));
  end.setUint32(0, END, true);
  end.setUint16(8, members.length, true);
  end.setUint16(10, members.length, true);
  end.setUint32(12, list.size, true);
  end.setUint32(16, at, true);
  return new Blob([...parts, list, end], { type: "application/zip" });
}

/** CRC-32. @param {Uint8Array} bytes */
function checksum(bytes) {
  let rest = ~0;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return ~rest >>> 0;
}
