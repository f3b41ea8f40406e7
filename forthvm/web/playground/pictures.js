/**
 * Pictures of rule files, as forthvm/render/symbols/pictures.py reads them: PNG files in which pure green is transparent.
 */

const MAX_SIDE = 8192, MAX_PIXELS = 16 << 20;
const GREEN = 0x00ff00;

/** The width and height that the head of a picture states; null for another file. @param {Uint8Array} bytes @returns {[number, number] | null} */
export function sizeOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), head = String.fromCharCode(...bytes.subarray(0, 4));
  if (bytes.length < 26) return null;
  if (head === "\x89PNG") return [view.getUint32(16), view.getUint32(20)];
  if (head === "GIF8") return [view.getUint16(6, true), view.getUint16(8, true)];
  if (head.startsWith("BM")) return [Math.abs(view.getInt32(18, true)), Math.abs(view.getInt32(22, true))];
  return head.startsWith("\xff\xd8") ? sizeOfJpeg(view) : null;
}

/** @param {DataView} view @returns {[number, number] | null} */
function sizeOfJpeg(view) {
  for (let at = 2; at + 9 < view.byteLength;) {
    const marker = view.getUint16(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** @param {Uint8Array<ArrayBuffer>} bytes The contents of a file. @returns {Promise<{png: Uint8Array, width: number, height: number} | null>} null: no picture, or too large. */
export async function decodedPicture(bytes) {
  const size = sizeOf(bytes);
  if (!size || Math.max(...size) > MAX_SIDE || size[0] * size[1] > MAX_PIXELS) return null;
  try {
    const image = await createImageBitmap(new Blob([bytes]), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
    context.drawImage(image, 0, 0);
    if (bytes[0] !== 0xff) makeGreenTransparent(context, image); // JPEG changes colours
    const png = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
    return { png, width: image.width, height: image.height };
  } catch {
    return null;
  }
}

/** @param {OffscreenCanvasRenderingContext2D} context @param {{width: number, height: number}} size */
function makeGreenTransparent(context, { width, height }) {
  const image = context.getImageData(0, 0, width, height), { data } = image;
  for (let at = 0; at < data.length; at += 4) {
    if (((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]) === GREEN) data[at + 3] = 0;
  }
  context.putImageData(image, 0, 0);
}
