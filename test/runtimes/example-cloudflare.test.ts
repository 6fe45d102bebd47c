import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
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

test('the Worker of docs/cloudflare.md says what was refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agidb-docs-'))
  const page = await readFile(new URL('../../docs/cloudflare.md', import.meta.url), 'utf8')
  await writeFile(join(folder, 'worker.ts'), /```ts\n([^]*?)```/.exec(page)![1])
  const workerd = await startWorkerd(join(folder, 'worker.ts'), { MEMORY: 'Memory' })
  try {
    expect(await (await workerd.dispatchFetch('http://localhost/')).text()).toBe('AGIDB_INVALID_TEXT')
  } finally {
    await workerd.dispose()
    await rm(folder, { recursive: true })
  }
})
