import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Agidb } from 'agidb/node'
import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUILT_CODEBOOK } from '../../src/encoding/codebook/built.js'
import { FILES, GOLDEN, cosine, MODEL, SHA256, TOKENIZER } from '../unit/models/minilm.js'
import { OFFLINE, runDeno } from './run-deno.js'
import { encode, type Encoded } from './encode.ts'
import { PERCEIVING, perceivedBits } from './perceived-bits.ts'
import { FIXED, rememberAndRecall, type Answers } from './remember-and-recall.ts'
import { startWorkerd } from './workerd.js'

/** What Node answers; all others must say the same, to the bit. */
let expected: Answers
/** What it answers without the codebook, as on the edge. */
let plain: Answers

beforeAll(async () => {
  expected = JSON.parse(
    JSON.stringify(await rememberAndRecall(await Agidb.open({ storage: 'memory', ...FIXED }))),
  ) as Answers
  plain = JSON.parse(
    JSON.stringify(await rememberAndRecall(await Agidb.open({ storage: 'memory', codebook: 'none', ...FIXED }))),
  ) as Answers
})

test('Node finds what was said', () => {
  expect(expected.kernel).toBe('wasm-simd')
  expect([expected.codebook, plain.codebook]).toEqual([BUILT_CODEBOOK, 'none'])
  expect(expected.episodes).toBe(4)
  expect(expected.place[0]).toMatchObject({
    text: 'Sarah recommended Bawri, a thai place in Bandra.',
    speaker: 'Sarah',
  })
  expect(expected.rent[0]).toMatchObject({ text: 'The rent is due on Monday.', at: '2026-05-01T19:01:00.000Z' })
  expect(expected.recommended[0]).toMatchObject({ speaker: 'Sarah', tier: 'exact' })
  expect(expected.tokyo[0]).toMatchObject({ speaker: 'Yuki', session: 's2' })
  expect(expected.mind).toMatchObject({
    semanticAtoms: [{ support: 3 }],
    beliefs: [{ claim: 'Bawri is a thai restaurant' }],
    activeGoals: [{}],
    procedures: [{ strength: 2 / 3 }],
  })
  expect(expected.documents).toMatchObject({
    report: { added: 3, kept: 0 },
    first: { 0: { entry: { path: 'Team > Dinner' }, salience: 0.03125 } },
    identity: { recentLearnings: [{ content: 'Book a table two weeks ahead.' }] },
  })
  expect(expected.closed).toBe('AGIDB_CLOSED')
})

describe('workerd', () => {
  let workerd: Miniflare

  beforeAll(async () => {
    workerd = await startWorkerd()
  })
  afterAll(() => workerd.dispose())

  const answers = async (query: string): Promise<unknown> => {
    const response = await workerd.dispatchFetch(`http://localhost/${query}`)
    const text = await response.text()
    expect(response.status, text).toBe(200)
    return JSON.parse(text)
  }

  test('with the kernel imported', async () => {
    expect(await answers('?kernel')).toEqual(plain)
  })

  test('with the codebook imported, too', async () => {
    expect(await answers('?kernel&codebook')).toEqual(expected)
  })

  test('without it, on the TypeScript kernel', async () => {
    expect(await answers('')).toEqual({ ...plain, kernel: 'reference' })
  })
})

test('workerd opens a memory while a worker starts, and its requests share it', async () => {
  const workerd = await startWorkerd(fileURLToPath(new URL('worker-global.ts', import.meta.url)))
  try {
    const ask = async (path: string) => {
      const response = await workerd.dispatchFetch(`http://localhost/${path}`)
      return (await response.json()) as { id: string; episodes: number; text: string }
    }
    const first = await ask('bawri')
    expect(first).toMatchObject({ episodes: 1, text: 'Somebody asked for /bawri' })
    const together = await Promise.all(['houston', 'bandra', 'oxygen'].map(ask))
    expect(together.map(({ text }) => text)).toEqual(
      ['/houston', '/bandra', '/oxygen'].map((path) => `Somebody asked for ${path}`),
    )
    expect(new Set([first, ...together].map(({ id }) => id)).size).toBe(4)
  } finally {
    await workerd.dispose()
  }
})

describe('Deno', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agidb-deno-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('the edge entry in memory, the package in a folder', async () => {
    const script = fileURLToPath(new URL('deno.ts', import.meta.url))
    const printed = await runDeno([...OFFLINE, `--allow-write=${folder}`, script, join(folder, 'memory.agidb')])
    expect(JSON.parse(printed)).toEqual({
      edge: plain,
      folder: expected,
      reopened: 12,
      stated: ['is', 'recommends'],
      // What a page answers, too: e2e/neurosymbolic.spec.ts.
      bits: await perceivedBits(await Agidb.open({ storage: 'memory', ...PERCEIVING })),
    })
  })
})

describe('the sentence encoder, in a thread of its own', () => {
  const texts = GOLDEN.slice(0, 6).map(({ text }) => text)
  let node: Encoded

  test('Node', async () => {
    node = await encode(texts, FILES)
    expect(node).toMatchObject({ id: SHA256.model, encoded: texts.length, sentence: 'used' })
    node.latents.forEach((latent, i) =>
      expect(cosine(Float32Array.from(latent), GOLDEN[i].latent)).toBeGreaterThan(0.9999),
    )
  })

  test('Node ends with a program that does not close it', async () => {
    const program = `
      import { sentenceEncoder } from 'agidb/onnx'
      const encoder = await sentenceEncoder(${JSON.stringify(FILES)})
      console.log((await encoder.encode(['a', 'b'])).length)
    `
    const cwd = fileURLToPath(new URL('../..', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      cwd,
      timeout: 50_000,
    })
    expect(stdout.trim()).toBe('2')
  })

  test('Deno gives the same to the bit', async () => {
    const script = fileURLToPath(new URL('deno-encode.ts', import.meta.url))
    const printed = await runDeno([...OFFLINE, script, MODEL, TOKENIZER, JSON.stringify(texts)])
    expect(JSON.parse(printed)).toEqual(node)
  })
})
