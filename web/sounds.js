// @ts-check
/**
 * Quiet sounds of the board, synthesised instead of recorded; loaded only if the reader turns sounds on. Each sound is a few
 * partials that fade at different rates, most with a short burst of noise in front, like a knock on wood.
 */

import { reducedMotion } from "./boards/motion.js";
import { moduleOf } from "./games.js";

/**
 * @typedef {"stone" | "drop" | "capture" | "end"} Sound
 *
 * A partial: frequency in Hz, share of the loudness, seconds until it has faded, and seconds before it begins.
 * @typedef {[hertz: number, share: number, fade: number, after: number]} Partial
 */

/** @type {Record<Sound, { noise: [hertz: number, share: number, fade: number] | null, partials: Partial[] }>} */
const SOUNDS = {
  stone: { noise: [2600, 0.7, 0.022], partials: [[1180, 0.35, 0.05, 0], [640, 0.3, 0.07, 0]] },
  drop: { noise: [900, 0.8, 0.04], partials: [[210, 0.5, 0.14, 0], [420, 0.2, 0.08, 0], [250, 0.2, 0.09, 0.085]] },
  capture: { noise: [2100, 0.7, 0.03], partials: [[880, 0.3, 0.07, 0], [520, 0.35, 0.1, 0.055], [1240, 0.2, 0.05, 0.055]] },
  end: { noise: null, partials: [[523.25, 0.3, 0.7, 0], [659.25, 0.26, 0.7, 0.11], [783.99, 0.24, 0.9, 0.22]] },
};
/** The maximum loudness of a sound, out of 1. */
const LOUDNESS = 0.16;
/** Seconds that a disc falls before it is heard. */
const FALL = 0.17;

/**
 * Schedules a sound at a time of the context's clock.
 * @param {BaseAudioContext} context
 * @param {Sound} sound
 * @param {number} time
 */
export function synthesise(context, sound, time) {
  const { noise, partials } = SOUNDS[sound];
  const shaped = (/** @type {AudioScheduledSourceNode} */ source, /** @type {AudioNode} */ last, /** @type {number} */ share, /** @type {number} */ fade, /** @type {number} */ start) => {
    const gain = context.createGain();
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(share * LOUDNESS, start + 0.003);
    gain.gain.exponentialRampToValueAtTime(1e-4, start + fade);
    last.connect(gain).connect(context.destination);
    source.start(start);
    source.stop(start + fade);
  };
  for (const [hertz, share, fade, after] of partials) {
    const tone = context.createOscillator();
    tone.frequency.value = hertz;
    shaped(tone, tone, share, fade, time + after);
  }
  if (!noise) return;
  const [hertz, share, fade] = noise;
  const source = context.createBufferSource();
  source.buffer = hiss(context, fade);
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = hertz;
  source.connect(filter);
  shaped(source, filter, share, fade, time);
}

/** @param {BaseAudioContext} context @param {number} seconds */
function hiss(context, seconds) {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * seconds), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  return buffer;
}

/** @type {AudioContext | null} */
let context = null;

/** @param {Sound} sound @param {number} [after] seconds */
export function play(sound, after = 0) {
  // Browsers allow sound only after a gesture on the page.
  if (navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  void context.resume();
  synthesise(context, sound, context.currentTime + after);
}

/** Plays the sound of what just happened in a game. @param {import("./record.js").Record} record @param {string} cause */
export function playEvent(record, cause) {
  if (cause !== "play" && cause !== "resign" && cause !== "timeout") return;
  const move = record.line[record.at - 1];
  let after = 0;
  if (cause === "play" && move && move.to !== null) {
    const { sound } = moduleOf(record.game);
    if (sound === "drop" && !reducedMotion()) after = FALL;
    play(move.captured.length + move.claimed.length > 0 ? "capture" : (sound ?? "stone"), after);
  }
  if (record.over) play("end", after + 0.25);
}
