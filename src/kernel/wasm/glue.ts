/** What wasm-bindgen makes: it holds one instance of the kernel a thread, so that all parts of a worker share it. */
export * from '../built/agidb_kernel.js'
