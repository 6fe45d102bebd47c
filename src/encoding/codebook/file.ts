/** Where the codebook beside the library lies. Bundlers follow the URL as it is written here. */
export function codebookUrl(): URL {
  return new URL('./built/minilm-256.bin', import.meta.url)
}
