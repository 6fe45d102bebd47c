/** The name of the processor of `listening/worklet.ts`. */
export const VOICE = 'agidb-voice'

/** Where it is: beside the parts of the worker, which bundlers copy as files. */
export function voiceUrl(): URL {
  return new URL('./built/voice.js', import.meta.url)
}
