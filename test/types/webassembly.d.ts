// The part of WebAssembly that the kernel uses. Every runtime has it; its types come with the DOM library only.
type BufferSource = ArrayBufferView | ArrayBuffer

declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module'
  }
  const Module: {
    new (bytes: BufferSource): Module
    imports(module: Module): { module: string; name: string; kind: string }[]
    exports(module: Module): { name: string; kind: string }[]
  }
  class Instance {
    constructor(module: Module, imports?: Record<string, Record<string, unknown>>)
    readonly exports: Record<string, unknown>
  }
  class Memory {
    readonly buffer: ArrayBuffer
  }
  class Table {}
  class LinkError extends Error {}
  function compile(bytes: BufferSource): Promise<Module>
}
