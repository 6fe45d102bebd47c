import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { startWorkerd } from './workerd.js'

test('the example for Cloudflare remembers and recalls for each user', async () => {
  const entry = fileURLToPath(new URL('../../examples/cloudflare/src/index.ts', import.meta.url))
  const workerd = await startWorkerd(entry, { MEMORY: 'Memory' })
  const ask = async (path: string, body?: string): Promise<unknown> => {
    const init = body === undefined ? {} : { method: 'POST', body }
    return (await workerd.dispatchFetch(`http://localhost${path}`, init)).json()
  }
  try {
    const text = 'Sarah recommended Bawri, a thai place in Bandra.'
    expect(await ask('/ann', text)).toEqual({ id: expect.stringMatching(/^ep_/) })
    expect(await ask('/ann?q=thai%20place')).toEqual([{ text, confidence: expect.any(Number) }])
    expect(await ask('/bob?q=thai%20place')).toEqual([])
    expect(await ask('/ann', '')).toEqual({ code: 'AGIDB_INVALID_TEXT', message: 'text is empty; expected some text' })
  } finally {
    await workerd.dispose()
  }
})

/** A Worker for the object of docs/cloudflare.md that has a bucket: one memory goes there and comes back in another. */
const THERE_AND_BACK = `
export default {
  async fetch(_, { MEMORY }) {
    const [ann, bob] = ['ann', 'bob'].map((name) => MEMORY.get(MEMORY.idFromName(name)))
    await ann.observe('Sarah recommended Bawri, a thai place.')
    const bytes = await ann.backUp('ann')
    await bob.comeBack('ann')
    const { matches } = await bob.recall('thai place')
    return Response.json([bytes > 0, matches.map(({ text }) => text)])
  },
}`

describe('docs/cloudflare.md', () => {
  /** Bundles the program that a block of the page is, and asks it. */
  async function answerOf(part: string, rest = '', buckets: string[] = []): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'agidb-docs-'))
    const page = await readFile(new URL('../../docs/cloudflare.md', import.meta.url), 'utf8')
    const blocks = Array.from(page.matchAll(/```ts\n([^]*?)```/g), ([, code]) => code)
    await writeFile(join(folder, 'worker.ts'), blocks.find((code) => code.includes(part))! + rest)
    const workerd = await startWorkerd(join(folder, 'worker.ts'), { MEMORY: 'Memory' }, undefined, buckets)
    try {
      return await (await workerd.dispatchFetch('http://localhost/')).text()
    } finally {
      await workerd.dispose()
      await rm(folder, { recursive: true })
    }
  }

  test('the Worker says what was refused', async () => {
    expect(await answerOf('remoteError')).toBe('AGIDB_INVALID_TEXT')
  })

  test('a memory goes to a bucket and comes back', async () => {
    const answer = await answerOf('exportToBucket', THERE_AND_BACK, ['BACKUPS'])
    expect(JSON.parse(answer)).toEqual([true, ['Sarah recommended Bawri, a thai place.']])
  })
})
