/** What Cloudflare makes of an imported `.wasm` file. */
declare module '*.wasm' {
  const module: WebAssembly.Module
  export default module
}

/** And of a `.bin` file. */
declare module '*.bin' {
  const bytes: ArrayBuffer
  export default bytes
}
