import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readKernel } from '../../../src/kernel/node.js'

const bytes = await readKernel()
/** A module that is valid and exports nothing: magic number and version alone. */
const FOREIGN = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)

async function serve(answer: RequestListener): Promise<{ server: Server; url: URL }> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/kernel.wasm`) }
}

test('a kernel file that Node cannot read is refused with an error that says what to do', async () => {
  const url = new URL('file:///nowhere/agidb_kernel_bg.wasm')
  await expect(readKernel(url)).rejects.toMatchObject({
    code: 'AGIDB_KERNEL',
    message: expect.stringContaining('give the URL of agidb/kernel.wasm'),
  })
})

describe('loadKernel', () => {
  // The glue keeps its instance: a fresh copy of the modules for each test.
  beforeEach(() => vi.resetModules())
  afterEach(() => void vi.unstubAllGlobals().restoreAllMocks())
  const fresh = async () => (await import('../../../src/kernel/load.js')).loadKernel

  test('takes bytes, a compiled module or a URL', async () => {
    const { server, url } = await serve((_, response) => response.end(bytes))
    for (const kernel of [bytes, await WebAssembly.compile(bytes), url]) {
      vi.resetModules()
      const loaded = await (await fresh())({ kernel })
      expect(loaded.name).toBe('wasm-simd')
      expect(loaded.similarity(loaded.fromName('a'), loaded.fromName('a'))).toBe(1)
    }
    server.close()
  })

  test('takes a module that was compiled in another realm, where no WebAssembly may be compiled here', async () => {
    const module = runInNewContext('new WebAssembly.Module(bytes)', { bytes }) as WebAssembly.Module
    expect(module instanceof WebAssembly.Module).toBe(false)
    vi.spyOn(WebAssembly, 'compile').mockRejectedValue(new WebAssembly.CompileError('code generation is disallowed'))
    expect((await (await fresh())({ kernel: module })).name).toBe('wasm-simd')
  })

  test('gives every database of a thread a kernel, also when they open at once', async () => {
    const loadKernel = await fresh()
    const loaded = await Promise.all([1, 2, 3].map(() => loadKernel({ kernel: bytes })))
    const arenas = loaded.map((kernel) => kernel.arena())
    arenas.forEach((arena, i) => arena.set(i, loaded[i].fromName(`${i}`)))
    expect(arenas.map((arena) => [arena.size, arena.has(0)])).toEqual([
      [1, true],
      [1, false],
      [1, false],
    ])
  })

  test('uses the reference when asked to', async () => {
    expect((await (await fresh())({ referenceKernel: true, kernel: bytes })).name).toBe('reference')
  })

  test('uses the reference where the runtime may not or cannot compile WebAssembly', async () => {
    const refuse = () => Promise.reject(new WebAssembly.CompileError('code generation is disallowed'))
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(bytes)))
    vi.stubGlobal('WebAssembly', { ...WebAssembly, Module: WebAssembly.Module, compile: refuse })
    expect((await (await fresh())()).name).toBe('reference')
  })

  test('fetches the kernel from beside the library by default', async () => {
    const asked: string[] = []
    vi.stubGlobal('fetch', (url: URL) => {
      asked.push(url.href)
      return Promise.resolve(new Response(bytes))
    })
    expect((await (await fresh())()).name).toBe('wasm-simd')
    expect(asked).toEqual([expect.stringMatching(/src\/kernel\/built\/agidb_kernel_bg\.wasm$/)])
  })

  test.each([
    ['bytes that are no WebAssembly', Uint8Array.of(1, 2, 3)],
    ['a module that is not this kernel', FOREIGN],
    ['a URL where nothing is', new URL('http://127.0.0.1:9/kernel.wasm')],
  ])('a given kernel that cannot be used is an error: %s', async (_, kernel) => {
    const loadKernel = await fresh()
    await expect(loadKernel({ kernel })).rejects.toMatchObject({ name: 'AgidbError', code: 'AGIDB_KERNEL' })
    // The failure does not stand in the way of the right one.
    expect((await loadKernel({ kernel: bytes })).name).toBe('wasm-simd')
  })

  test('a server that answers with an error is named', async () => {
    const { server, url } = await serve((_, response) => response.writeHead(404).end())
    await expect((await fresh())({ kernel: url })).rejects.toThrow(/answered 404/)
    server.close()
  })
})
