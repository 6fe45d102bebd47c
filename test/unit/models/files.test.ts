import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { obtain } from '../../../src/models/files.js'
import { nodeFiles } from '../../../src/models/node-files.js'

const BYTES = new TextEncoder().encode('the bytes of a model')
const HASH = createHash('sha256').update(BYTES).digest('hex')

let server: Server
let url: string
let served: { body: Uint8Array; status: number }
let requests: number
let folder: string

beforeEach(async () => {
  requests = 0
  served = { body: BYTES, status: 200 }
  server = createServer((_, response) => {
    requests++
    response.writeHead(served.status).end(served.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.onnx`
  folder = await mkdtemp(join(tmpdir(), 'agidb-models-'))
})
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

const get = (expected: string | undefined = HASH, cache: string | false = folder) =>
  obtain('model', url, expected, nodeFiles({ cache }))
const kept = async () =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(folder)).map(async (name) => [name, (await readFile(join(folder, name))).toString()]),
    ),
  )

describe('a file from a server', () => {
  test('is fetched once and kept under its hash', async () => {
    expect(await get()).toEqual({ bytes: BYTES, hash: HASH })
    expect(await kept()).toEqual({ [HASH]: 'the bytes of a model' })
    served.status = 500
    const { bytes, hash } = await get()
    expect([new Uint8Array(bytes), hash, requests]).toEqual([BYTES, HASH, 1])
  })

  test.each([
    ['cut short', 'the by'],
    ['changed', 'the bytes of a nodel'],
    ['empty', ''],
  ])('is fetched again when what was kept is %s', async (_, damaged) => {
    await writeFile(join(folder, HASH), damaged)
    expect((await get()).bytes).toEqual(BYTES)
    expect([await kept(), requests]).toEqual([{ [HASH]: 'the bytes of a model' }, 1])
  })

  test('is not kept when it is another than expected', async () => {
    served.body = BYTES.with(3, 0)
    await expect(get()).rejects.toMatchObject({
      code: 'AGIDB_ENCODER',
      message: expect.stringContaining(`expected ${HASH}`) as string,
    })
    expect(await kept()).toEqual({})
  })

  test('is not kept unless it is known what it must be, or where', async () => {
    expect((await obtain('model', url, undefined, nodeFiles({ cache: folder }))).hash).toBe(HASH)
    expect((await get(HASH, false)).hash).toBe(HASH)
    expect(await kept()).toEqual({})
  })

  test('may be asked for many times at once', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => get()))
    for (const { bytes } of all) expect(new Uint8Array(bytes)).toEqual(BYTES)
    expect(await kept()).toEqual({ [HASH]: 'the bytes of a model' })
  })

  test('is had although it cannot be kept', async () => {
    await writeFile(join(folder, 'file'), '')
    expect((await get(HASH, join(folder, 'file', 'folder'))).bytes).toEqual(BYTES)
  })

  test('that the server does not have is refused', async () => {
    served.status = 404
    await expect(get()).rejects.toMatchObject({
      code: 'AGIDB_ENCODER',
      message: expect.stringContaining('the server answered 404') as string,
    })
  })
})
