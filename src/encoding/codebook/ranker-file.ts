/**
 * Where the ranker of a memory with a codebook lies. It is named relative to this folder, as the codebook is, so that a
 * bundler that copies no files needs one folder `built` beside its bundle.
 */
export function rankerUrl(): URL {
  return new URL('./built/ranker.bin', import.meta.url)
}
