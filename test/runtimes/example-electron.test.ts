import { EventEmitter } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { Agidb } from 'agidb/node'
import { expect, test } from 'vitest'

const MODULE = '../../examples/electron/serve-memory.mjs'

/** A port as Electron's main process has it: an emitter of events with `data`. */
function portOfMain(port: MessagePort): EventEmitter & { start(): void; postMessage(message: unknown): void } {
  const emitter = new EventEmitter()
  port.addEventListener('message', ({ data }) => emitter.emit('message', { data: data as unknown }))
  port.addEventListener('close', () => emitter.emit('close'))
  return Object.assign(emitter, {
    start: () => port.start(),
    postMessage: (message: unknown) => port.postMessage(message),
  })
}

test('the main process of the example for Electron answers its page, and tells it of changes', async () => {
  const { serveMemory } = (await import(MODULE)) as { serveMemory(db: Agidb, port: EventEmitter): void }
  const folder = await mkdtemp(join(tmpdir(), 'agidb-electron-'))
  const db = await Agidb.open({ path: folder, codebook: 'none', extract: 'none' })
  const { port1, port2 } = new MessageChannel() as unknown as globalThis.MessageChannel
  const told: unknown[] = []
  const heard = (call: number) =>
    expect.poll(() => told.find((message) => (message as { call?: number }).call === call))
  try {
    serveMemory(db, portOfMain(port1))
    port2.onmessage = ({ data }) => void told.push(data)
    port2.postMessage({ call: 1, method: 'observe', args: ['The office is in Oslo.', { id: 'oslo' }] })
    await heard(1).toEqual({ call: 1, answer: 'oslo' })
    expect(told).toContainEqual({ change: expect.objectContaining({ kind: 'episodeStored', ids: ['oslo'] }) })
    port2.postMessage({ call: 2, method: 'recall', args: ['where is the office?', { k: 1 }] })
    await heard(2).toMatchObject({ answer: { matches: [{ id: 'oslo' }] } })
    port2.postMessage({ call: 3, method: 'observe', args: [''] })
    await heard(3).toMatchObject({ error: { code: 'AGIDB_INVALID_TEXT' } })
    for (const [i, method] of ['close', 'export', 'constructor', '__proto__', 7].entries()) {
      port2.postMessage({ call: 10 + i, method, args: [] })
      await heard(10 + i).toMatchObject({ error: { message: `a page may not call ${method}` } })
    }
    port2.close()
    await new Promise((resolve) => port1.addEventListener('close', resolve))
    const before = told.length
    await db.observe('The garden has roses.')
    expect(told).toHaveLength(before)
    expect(await db.count()).toBe(2)
  } finally {
    await db.close()
    await rm(folder, { recursive: true, force: true })
  }
})
