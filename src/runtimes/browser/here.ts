/**
 * Whether an argument has something that the page is to encode, since it cannot be sent to the engine's worker: a video
 * that is an element or comes picture by picture, or inputs of the application's own modalities.
 */
export function isHere(arg: unknown): boolean {
  const { video, own } = (arg ?? {}) as { readonly video?: unknown; readonly own?: unknown }
  const isSent = video === undefined || video instanceof Blob || ArrayBuffer.isView(video) || Array.isArray(video)
  return own !== undefined || !isSent
}
