declare module 'agidb/kernel.wasm' {
  const kernel: WebAssembly.Module
  export default kernel
}
declare module 'agidb/codebook.bin' {
  const codebook: ArrayBuffer
  export default codebook
}
