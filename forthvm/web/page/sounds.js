/**
 * A few short tones.  They need no files.
 */

/** Frequencies in hertz. @type {Record<string, number[]>} */
const TONES = { move: [330], capture: [330, 220], end: [523, 392, 262], refused: [150] };
const LENGTH = 0.09; // seconds
const VOLUME = 0.12;

/** @type {AudioContext | undefined} */ let context;

/** @param {string} name */
export function playSound(name) {
  context ??= new AudioContext();
  const begin = context.currentTime;
  for (const [at, frequency] of TONES[name].entries()) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    const start = begin + at * LENGTH;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(VOLUME, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + LENGTH);
  }
}
