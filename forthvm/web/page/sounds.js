/**
 * Short sounds of pieces on wood, made of filtered noise and tones.  They need no files.
 *
 * @typedef {{at: number, volume: number, colour: number, thump: number, length: number}} Knock When it begins, in
 *   seconds; the centre of the noise and the pitch of the thump, in hertz; and how long it fades.
 * @typedef {{frequency: number, at: number, volume: number, length: number}} Tone
 */

/** @type {Record<string, Knock[]>} */
const KNOCKS = {
  move: [{ at: 0, volume: 0.4, colour: 1300, thump: 170, length: 0.09 }],
  capture: [{ at: 0, volume: 0.3, colour: 1900, thump: 240, length: 0.06 }, { at: 0.075, volume: 0.45, colour: 1100, thump: 150, length: 0.1 }],
  refused: [{ at: 0, volume: 0.35, colour: 260, thump: 95, length: 0.07 }],
};
/** @type {Record<string, Tone[]>} */
const CHORDS = {
  end: [262, 330, 392, 523].map((frequency, at) => ({ frequency, at: 0.04 * at, volume: 0.1, length: 1.4 })),
};
const SILENT = 0.0005; // volume
const NOISE = 2.5; // times the volume, since the filter takes most of it
const THUMP = 0.5;

/** @type {AudioContext | undefined} */ let playing;

/** @param {string} name */
export function playSound(name) {
  playing ??= new AudioContext();
  addSound(playing, name);
}

/** Add a sound to what a context plays from now on. @param {BaseAudioContext} context @param {string} name */
export function addSound(context, name) {
  for (const { at, volume, colour, thump, length } of KNOCKS[name] ?? []) {
    const noise = new AudioBufferSourceNode(context, { buffer: noiseOf(context, length) });
    const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: colour, Q: 1.5 });
    fade(noise.connect(filter), context, { at, volume: NOISE * volume, length: length / 2 });
    const body = new OscillatorNode(context, { frequency: thump });
    fade(body, context, { at, volume: THUMP * volume, length });
    run(body, context, at, length);
    run(noise, context, at, length);
  }
  for (const { frequency, at, volume, length } of CHORDS[name] ?? []) {
    const tone = new OscillatorNode(context, { type: "triangle", frequency });
    fade(tone, context, { at, volume, length });
    run(tone, context, at, length);
  }
}

/** @param {BaseAudioContext} context @param {number} length In seconds. */
function noiseOf(context, length) {
  const noise = new AudioBuffer({ length: Math.ceil(length * context.sampleRate), sampleRate: context.sampleRate });
  noise.copyToChannel(Float32Array.from({ length: noise.length }, () => 2 * Math.random() - 1), 0);
  return noise;
}

/** Let a sound fade out into the speakers. @param {AudioNode} sound @param {BaseAudioContext} context @param {{at: number, volume: number, length: number}} how */
function fade(sound, context, { at, volume, length }) {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(volume, context.currentTime + at);
  gain.gain.exponentialRampToValueAtTime(SILENT, context.currentTime + at + length);
  sound.connect(gain).connect(context.destination);
}

/** @param {AudioScheduledSourceNode} source @param {BaseAudioContext} context @param {number} at @param {number} length */
function run(source, context, at, length) {
  source.start(context.currentTime + at);
  source.stop(context.currentTime + at + length);
}
