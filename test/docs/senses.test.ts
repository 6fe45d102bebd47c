import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AudioEncoderOptions } from '../../src/models/audio/options.js'
import { type DualImageOptions, toTextLoading } from '../../src/models/dual/options.js'
import type { Encoders } from '../../src/api/encoder.js'
import { dualEncoder, videoEncoder } from '../../src/models/node.js'
import { Agidb, type FramePart } from '../../src/runtimes/node/index.js'
import type { ImageEncoderOptions } from '../../src/models/image/options.js'
import { lite0, LITE0 } from '../unit/models/image/lite0.js'
import { bandEnergies, chord, colourLayout, discs, grasp } from '../unit/toys/senses.js'
import { SPEECH, speech } from '../unit/models/audio/speech.js'
import { GOLDEN, MANIFEST, pixelsOf, TOWERS } from '../unit/models/dual/towers.js'

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

test('the options of docs/senses.md are those of a dual encoder, and its words find the picture', async () => {
  const page = readFileSync(new URL('../../docs/senses.md', import.meta.url), 'utf8')
  const [, code] = /```js\n(const image = await dualEncoder[^]*?)```/.exec(page)!
  const opened: Agidb[] = []
  const run = new Function(
    'dualEncoder',
    'Agidb',
    'photo',
    `return (async () => { ${code.replace(/\nawait (db\.recall)/, '\nreturn await $1')} })()`,
  )
  const image = await dualEncoder(TOWERS)
  const { words, rgb } = GOLDEN.pictures.find(({ words }) => words === 'a red square')!
  const { matches } = (await run(
    async (options: DualImageOptions) => {
      toTextLoading(options, (file) => file) // refuses wrong options
      expect(options.image.manifest).toEqual({ ...MANIFEST, size: 224, output: 'image_embeds' })
      return image
    },
    {
      open: async ({ encoders }: { encoders: Encoders }) => {
        const db = await Agidb.open({ storage: 'memory', encoders })
        opened.push(db)
        await db.observe('The square was red with blood.')
        return db
      },
    },
    pixelsOf(rgb),
  )) as { matches: { senses?: string[] }[] }
  expect(words).toBe('a red square')
  expect(matches[0]!.senses).toEqual(['image'])
  for (const db of opened) await db.close()
  await image.close()
})

test('the command of docs/senses.md fetches the files that its dual encoder reads', () => {
  const page = readFileSync(new URL('../../docs/senses.md', import.meta.url), 'utf8')
  const [, files, folder] = /hf download \S+ (.+) --local-dir (\S+)/.exec(page)!
  const read = [...page.matchAll(/'(clip\/[^']+)'/g)].map(([, path]) => path)
  expect(new Set(read)).toEqual(new Set(files.split(' ').map((file) => `${folder}/${file}`)))
})

test('the video of docs/senses.md is remembered, and found by one of its scenes', async () => {
  const page = readFileSync(new URL('../../docs/senses.md', import.meta.url), 'utf8')
  const [, code] = /```js\n(const image = await imageEncoder[^]*?)```/.exec(page)!
  const run = new Function(
    'imageEncoder',
    'videoEncoder',
    'Agidb',
    'square',
    'bridge',
    `return (async () => { ${code}\nawait db.close(); return matches })()`,
  )
  const image = await lite0()
  const matches = (await run(
    async ({ manifest }: ImageEncoderOptions) => {
      expect(LITE0.manifest).toMatchObject(manifest)
      return image
    },
    videoEncoder,
    {
      open: async ({ encoders }: { encoders: Encoders }) => {
        const db = await Agidb.open({ storage: 'memory', encoders })
        await db.observe('The bridge was closed.')
        return db
      },
    },
    discs(1),
    discs(2),
  )) as { text: string; senses?: string[] }[]
  expect(matches[0]).toMatchObject({ text: 'The walk through the old town', senses: ['video'] })
  await image.close()
})

test('the modality of docs/senses.md is part of an episode, and finds it', async () => {
  const page = readFileSync(new URL('../../docs/senses.md', import.meta.url), 'utf8')
  const [, code] = /```js\n([^`]*modality: 'touch'[^]*?)```/.exec(page)!
  const told: unknown[] = []
  const run = new Function(
    ...['Agidb', 'image', 'stone', 'grasp', 'console'],
    `return (async () => { ${code.replace('await db.extract', 'const signature = await db.extract')}
      await db.close(); return { id, matches, signature } })()`,
  )
  const { id, matches, signature } = (await run(
    { open: ({ encoders }: { encoders: Encoders }) => Agidb.open({ storage: 'memory', encoders }) },
    ...[colourLayout, discs(1), grasp(1), { log: (...line: unknown[]) => told.push(...line) }],
  )) as { id: string; matches: { id: string }[]; signature?: Uint8Array }
  expect(matches[0].id).toBe(id)
  expect(told).toEqual([['image', 'touch'], expect.any(Number)])
  expect(signature).toHaveLength(1_024)
})

test('the frame of docs/senses.md shows which of its senses something was new to', async () => {
  const page = readFileSync(new URL('../../docs/senses.md', import.meta.url), 'utf8')
  const [, code] = /```js\n([^`]*modality: 'multimodal'[^]*?)```/.exec(page)!
  const run = new Function(
    ...['Agidb', 'image', 'audio', 'hall', 'silence', 'barking'],
    `return (async () => { ${code}\nawait db.close(); return { surprise, parts } })()`,
  )
  const { surprise, parts } = (await run(
    { open: ({ encoders }: { encoders: Encoders }) => Agidb.open({ storage: 'memory', encoders }) },
    ...[colourLayout, bandEnergies, discs(1), chord(1), chord(2)],
  )) as { surprise: number; parts: readonly FramePart[] }
  const [hall, barking] = parts
  expect(hall).toMatchObject({ modality: 'image' })
  expect(hall.surprise).toBeLessThan(0.01)
  expect(barking).toMatchObject({ modality: 'audio', surprise })
  expect(surprise).toBeGreaterThan(0.5)
})
