import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Encoder } from '../../../src/api/encoder.js'
import { openEngine } from '../../../src/engine/whole.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../encoding/kernel.js'
import { bandEnergies, colourLayout } from '../toys/senses.js'
import { NOW, openMemory, withFolder } from './open.js'

/** Encodes a file by how often each byte stands in it; a thumbnail is its first bytes. */
const byteCounts: Encoder<'image'> = {
  ...colourLayout,
  id: 'b17e'.repeat(16),
  dimension: 256,
  encode: async (files) =>
    Promise.all(
      files.map(async (file) => {
        const counts = new Float32Array(256)
        const bytes = file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : (file as Uint8Array)
        for (const byte of bytes) counts[byte]++
        return counts
      }),
    ),
  thumbnail: async (file) => ({ type: 'image/jpeg', bytes: (file as Uint8Array).slice(0, 40) }),
}
const encoders = { image: byteCounts, audio: bandEnergies }
const PNG = [0x89, 0x50, 0x4e, 0x47]
/** A file of random bytes behind the mark of a PNG: longer than a piece. */
const picture = (length = 2_500_000) => new Uint8Array([...PNG, ...randomBytes(length)])
const read = async (stream: ReadableStream<Uint8Array>) => Buffer.from(await new Response(stream).arrayBuffer())

describe('what is kept of a picture', () => {
  test('is its file, which comes back in pieces as it was', async () => {
    const db = await openMemory({ encoders })
    const image = picture()
    const id = await db.observeMultimodal({ text: 'the harbour', image }, { keep: 'original' })
    await db.observe('something else')
    expect(await db.listMedia(id)).toEqual([{ sense: 'image', type: 'image/png', bytes: image.length }])
    expect((await read(await db.media(id))).equals(image)).toBe(true)
    expect((await read(await db.media(id, 'image'))).equals(image)).toBe(true)
    await expect(db.media(id, 'audio')).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await db.close()
  })

  test('is nothing where nothing is asked for, and a thumbnail where that is', async () => {
    const db = await openMemory({ encoders })
    const image = picture(100)
    const none = await db.observeMultimodal({ image })
    const also = await db.observeMultimodal({ image }, { keep: 'none' })
    for (const id of [none, also]) {
      expect(await db.listMedia(id)).toEqual([])
      await expect(db.media(id)).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    }
    const small = await db.observeMultimodal({ image }, { keep: 'thumbnail' })
    expect(await db.listMedia(small)).toEqual([{ sense: 'image', type: 'image/jpeg', bytes: 40 }])
    expect((await read(await db.media(small))).equals(image.slice(0, 40))).toBe(true)
    await db.close()
  })

  test('is refused, with the episode, where it is too long, no file, or has no thumbnail', async () => {
    const db = await openMemory({ encoders, limits: { mediaBytes: 1_000 } })
    const bare = await openMemory({ encoders: { image: colourLayout } })
    const pixels = { data: new Uint8Array(16).fill(9), width: 2, height: 2 }
    const refused = async (code: string, attempt: Promise<unknown>) => expect(attempt).rejects.toMatchObject({ code })
    await refused('AGIDB_TOO_LARGE', db.observeMultimodal({ image: picture(1_000) }, { keep: 'original' }))
    await refused('AGIDB_INVALID_ARGUMENT', bare.observeMultimodal({ image: pixels }, { keep: 'original' }))
    await refused('AGIDB_INVALID_ARGUMENT', db.observeMultimodal({ image: picture(9) }, { keep: 'all' as never }))
    await refused('AGIDB_NOT_FOUND', db.media('nobody'))
    expect(await db.count()).toBe(0)
    expect(await bare.count()).toBe(0)
    await db.close()
    await bare.close()
  })

  test('is refused, with the episode, where the kernel fails, and the id of the episode is free again', async () => {
    let isFailing = true
    const fromName = (name: string) => {
      if (isFailing && name.startsWith('agidb/media/')) throw new Error('the kernel fails')
      return kernel.fromName(name)
    }
    const failing = new Proxy(kernel, {
      get(target, key) {
        const value: unknown = key === 'fromName' ? fromName : Reflect.get(target, key)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const db = await openMemory({ encoders, kernel: failing })
    const attempt = () => db.observeMultimodal({ image: picture(100) }, { id: 'harbour', keep: 'original' })
    await expect(attempt()).rejects.toThrow('the kernel fails')
    isFailing = false
    expect(await attempt()).toBe('harbour')
    await db.close()
  })

  test('is refused, with the episode, where there is no picture or sound', async () => {
    const db = await openMemory({ encoders })
    const latents = { image: new Float32Array(byteCounts.dimension).fill(1) }
    for (const input of [{ text: 'a bell' }, { latents }]) {
      for (const keep of ['original', 'thumbnail'] as const)
        for (const attempt of [
          db.observeMultimodal(input, { keep }),
          db.observeSensory({ modality: 'multimodal', ...input, keep }),
        ])
          await expect(attempt).rejects.toMatchObject({
            code: 'AGIDB_INVALID_ARGUMENT',
            message: expect.stringMatching(/keep says what is kept of it, and there is no image or /) as string,
          })
      expect(await db.count()).toBe(0)
    }
    expect(await db.observeMultimodal({ text: 'a bell' }, { keep: 'none' })).toMatch(/^ep_/)
    expect(await db.observeSensory({ modality: 'multimodal', latents, keep: 'none' })).toBeDefined()
    await db.close()
  })

  test('is there after the memory was opened again', () =>
    withFolder(async (folder) => {
      const image = picture()
      const first = await openMemory({ encoders, storage: nodeStorage(folder) })
      const id = await first.observeMultimodal({ image: new Blob([image]) }, { keep: 'original' })
      await first.observe('later')
      await first.close()
      const again = await openMemory({ encoders, storage: nodeStorage(folder) })
      expect((await read(await again.media(id))).equals(image)).toBe(true)
      await again.close()
    }))

  test('goes with its episode into another memory, and stays where a filter leaves the episode', async () => {
    const db = await openMemory({ encoders })
    const [one, two] = [picture(2_000_000), picture(50)]
    await db.observe('before')
    const gone = await db.observeMultimodal({ image: picture(70) }, { keep: 'original' })
    await db.unlearn({ episode: gone }, 'test')
    await db.observeMultimodal({ image: one }, { id: 'one', session: 'a', keep: 'original' })
    await db.observeMultimodal({ image: two }, { id: 'two', session: 'b', keep: 'original' })
    const all = await openMemory({ encoders })
    await all.import(await db.export())
    expect((await read(await all.media('one'))).equals(one)).toBe(true)
    expect((await read(await all.media('two'))).equals(two)).toBe(true)
    const some = await openMemory({ encoders })
    const { episodes, records } = await some.import(await db.export({ filter: { session: 'b' } }))
    expect((await read(await some.media('two'))).equals(two)).toBe(true)
    // The other record says that something was unlearned.
    expect([episodes, records]).toEqual([1, 2])
    for (const memory of [db, all, some]) await memory.close()
  })
})

describe('a picture that was unlearned', () => {
  test('cannot be read, and is there again after a restore', async () => {
    const db = await openMemory({ encoders })
    const image = picture(1_500_000)
    const id = await db.observeMultimodal({ image }, { keep: 'original' })
    const { auditId } = await db.unlearn({ episode: id }, 'test')
    await expect(db.media(id)).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await db.restoreWithinWindow(auditId!)
    expect((await read(await db.media(id))).equals(image)).toBe(true)
    const stream = await db.media(id)
    await db.remove(id)
    await expect(read(stream)).rejects.toMatchObject({ code: 'AGIDB_NOT_FOUND' })
    await db.close()
  })

  test('belongs to no later episode of the same id', async () => {
    const db = await openMemory({ encoders })
    await db.observeMultimodal({ image: picture(60) }, { id: 'door', keep: 'original' })
    await db.unlearn({ episode: 'door' }, 'test')
    await db.observe('another door', { id: 'door' })
    expect(await db.listMedia('door')).toEqual([])
    await db.close()
  })

  test.each([
    ['plain', {}],
    ['encrypted', { encryption: { passphrase: 'correct horse' } }],
  ])('leaves none of its bytes in a %s memory once it cannot be restored', (kind, options) =>
    withFolder(async (folder) => {
      const clock = { now: NOW }
      const open = () =>
        openEngine({ kernel, storage: nodeStorage(folder), clock: () => clock.now, encoders, ...options })
      const [image, kept] = [picture(1_200_000), picture(300)]
      const db = await open()
      const id = await db.observeMultimodal({ image }, { session: 's', keep: 'original' })
      const other = await db.observeMultimodal({ image: kept }, { keep: 'original' })
      await db.flush()
      const traces = () => {
        const stored = Buffer.concat(
          readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((file) =>
            file.isFile() ? [readFileSync(join(file.parentPath, file.name))] : [],
          ),
        )
        return [100, 1_100_000].filter((at) => stored.includes(Buffer.from(image.subarray(at, at + 64)))).length
      }
      expect(traces()).toBe(kind === 'plain' ? 2 : 0)
      await db.unlearn({ episode: id }, 'test')
      clock.now += 400 * 86_400_000
      await db.expire()
      await db.compact()
      expect(traces()).toBe(0)
      expect((await read(await db.media(other))).equals(kept)).toBe(true)
      await db.close()
      const again = await open()
      expect((await read(await again.media(other))).equals(kept)).toBe(true)
      await again.close()
    }))
})
