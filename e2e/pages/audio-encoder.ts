import { audioEncoder, type AudioManifest } from '../../src/models/browser.js'
import { Agidb } from '../../src/runtimes/browser/index.js'

const wasm = new URL('../../node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm', import.meta.url)

/** Remembers sounds, for tests that run code in the page. */
async function hearing(model: string, frontEnd: string, manifest: AudioManifest, sounds: readonly string[]) {
  const at = (path: string) => new URL(path, location.href)
  const audio = await audioEncoder({ model: at(model), frontEnd: at(frontEnd), manifest, wasm })
  const files = await Promise.all(sounds.map(async (path) => (await fetch(path)).blob()))
  const latents = await audio.encode(files)
  const cut = await audio.encode([files[1].slice(0, 20_000)]).then(
    () => 'read',
    (error: { code: string }) => error.code,
  )
  const db = await Agidb.open({ storage: 'memory', encoders: { audio } })
  const voice = await db.observeMultimodal({ audio: files[0] })
  await db.observeMultimodal({ audio: tone(300) })
  const buffer = await db.observeMultimodal({ audio: tone(1_500) })
  const found: boolean[] = []
  for (const file of files) found.push((await db.recall(undefined, { audio: file })).matches[0].id === voice)
  const same = await db.recall(undefined, { audio: tone(1_500) })
  await db.close()
  await audio.close()
  return { latents: latents.map((latent) => [...latent]), cut, found, sameTone: same.matches[0].id === buffer }
}

/** A second of a tone, as Web Audio holds it. */
function tone(hertz: number): AudioBuffer {
  const sampleRate = 44_100
  const buffer = new AudioBuffer({ length: sampleRate, sampleRate, numberOfChannels: 2 })
  for (let channel = 0; channel < 2; channel++)
    buffer.copyToChannel(
      Float32Array.from({ length: sampleRate }, (_, i) => 0.3 * Math.sin((2 * Math.PI * hertz * i) / sampleRate)),
      channel,
    )
  return buffer
}

declare global {
  interface Window {
    hearing: typeof hearing
  }
}

window.hearing = hearing
