import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GOLDEN as TOWERS, latentOf, pixelsOf } from '../unit/models/dual/towers.js'
import { cosine, GOLDEN } from '../unit/models/minilm.js'
import { CLIP, folderOf, MINILM } from '../unit/models/transformers/folders.js'
import { OFFLINE, runDeno } from './run-deno.js'
import { type Towers, towers } from './towers.ts'

const sentences = folderOf(MINILM)
const clip = folderOf(CLIP)
const texts = GOLDEN.slice(0, 4).map(({ text }) => text)
const { rgb, latent } = TOWERS.pictures[0]
const picture = pixelsOf(rgb)
const same = (a: readonly number[], b: readonly number[]) => cosine(Float32Array.from(a), Float32Array.from(b))

describe('encoders over transformers.js, in threads of their own', () => {
  let node: Towers

  beforeAll(async () => {
    node = await towers(sentences.path, clip.path, texts, picture)
  })
  afterAll(() => {
    sentences.remove()
    clip.remove()
  })

  test('Node', () => {
    expect(node.device).toBe('cpu')
    for (const [i, one] of node.texts.entries()) expect(same(one, [...GOLDEN[i].latent])).toBeGreaterThan(0.999)
    expect(same(node.picture, [...latentOf(latent)])).toBeGreaterThan(0.9999)
    expect(node.words).toHaveLength(node.picture.length)
  })

  test('Node ends with a program that does not close them', async () => {
    const program = `
      import { sentenceEncoder } from 'agidb/transformers'
      const encoder = await sentenceEncoder(${JSON.stringify({ model: sentences.path })})
      console.log((await encoder.encode(['a', 'b'])).length)
    `
    const cwd = fileURLToPath(new URL('../..', import.meta.url))
    const options = { cwd, timeout: 50_000 }
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], options)
    expect(stdout.trim()).toBe('2')
  })

  test('Deno gives what Node gives, and asks no server', async () => {
    const { data, width, height } = picture
    const printed = await runDeno([
      ...OFFLINE,
      '--allow-ffi',
      fileURLToPath(new URL('deno-transformers.ts', import.meta.url)),
      sentences.path,
      clip.path,
      JSON.stringify(texts),
      JSON.stringify({ data: [...data], width, height }),
    ])
    const deno = JSON.parse(printed) as Towers
    expect(deno.device).toBe(node.device)
    for (const [i, one] of deno.texts.entries()) expect(same(one, node.texts[i])).toBeGreaterThan(0.999)
    expect(same(deno.picture, node.picture)).toBeGreaterThan(0.9999)
    expect(same(deno.words, node.words)).toBeGreaterThan(0.9999)
  })
})
