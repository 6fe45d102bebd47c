/** Where the processor of `listening/worklet.ts` is: beside the parts of the worker, which bundlers copy as files. */
export function voiceUrl(): URL {
  return new URL('./built/voice.js', import.meta.url)
}
