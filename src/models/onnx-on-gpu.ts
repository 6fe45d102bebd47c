import type { Onnx } from './runtime.js'

/**
 * ONNX Runtime with WebGPU, which browsers have. Its WebAssembly is another file than that of `loadOnnx`.
 *
 * @param wasm the URL of `onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm`. Default: beside ONNX Runtime.
 */
export async function loadOnnxOnGpu(wasm: string | undefined): Promise<Onnx> {
  const { InferenceSession, Tensor, env } = await import('onnxruntime-web/webgpu')
  env.wasm.numThreads = 1
  if (wasm !== undefined) env.wasm.wasmPaths = { wasm }
  return { InferenceSession, Tensor }
}
