import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AudioEncoderOptions } from '../../src/models/audio/options.js'
import { SPEECH, speech } from '../unit/models/audio/speech.js'

test('the manifest of docs/senses.md is that of a real model, which hears a file with it', async () => {
  const page = readFileSync(new URL('../../docs/senses.md', import.meta.url), 'utf8')
  const [, code] = /```js\n(const audio = [^]*?)```/.exec(page)!
  const given = (await new Function('audioEncoder', `return (async () => { ${code}\nreturn audio })()`)(
    async (options: AudioEncoderOptions) => options,
  )) as AudioEncoderOptions & { manifest: object }
  const { centre, ...manifest } = SPEECH.manifest
  expect(given.manifest).toEqual({ ...manifest, centre: [] })
  expect(code).toContain(`[/* ${centre.length} numbers */]`)
  const audio = await speech({ manifest: { ...given.manifest, ...manifest, centre } })
  try {
    const voice = readFileSync(new URL('../unit/models/audio/fixtures/voice.wav', import.meta.url))
    const [latent] = await audio.encode([new Uint8Array(voice)])
    expect(latent).toHaveLength(centre.length)
  } finally {
    await audio.close()
  }
})
