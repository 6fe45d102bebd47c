import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readKernel } from '../../../src/kernel/node.js'

const bytes = await readKernel()

describe('where the WebAssembly kernel cannot be had', () => {
  const warn = vi.fn()
  // Each test begins with a program that has warned of nothing.
  beforeEach(() => vi.resetModules())
  afterEach(() => {
    vi.unstubAllGlobals()
    warn.mockClear()
  })

  /**
   * What stats() says of an edge database that was opened in a fresh program; `answer` is how the kernel's URL answers.
   */
  async function opened(answer: () => Promise<Response>, options: object = {}, times = 1) {
    vi.stubGlobal('fetch', answer)
    vi.stubGlobal('console', { ...console, warn })
    const { Agidb } = await import('../../../src/runtimes/edge/index.js')
    let last
    for (let i = 0; i < times; i++) {
      const db = await Agidb.open({ storage: 'memory', ...options })
      last = await db.stats()
      await db.close()
    }
    return last!
  }

  test('the TypeScript kernel runs, stats() says why, and one console warning names the way out', async () => {
    const { kernel, opening } = await opened(() => Promise.resolve(new Response('', { status: 404 })), {}, 2)
    expect(kernel).toBe('reference')
    expect(opening).toContainEqual({
      kind: 'slow-kernel',
      message: expect.stringMatching(/agidb_kernel_bg\.wasm answered 404.*agidb\/kernel\.wasm/),
    })
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^agidb: .*answered 404/)]])
  })

  test('a server that answers every address with its page is told from one that has the kernel', async () => {
    const { opening } = await opened(() => Promise.resolve(new Response('<!doctype html><title>App</title>')))
    expect(opening).toContainEqual({
      kind: 'slow-kernel',
      message: expect.stringContaining('answered with a page (HTML), not with the kernel'),
    })
  })

  test('a content security policy without wasm-unsafe-eval is named', async () => {
    const refused = new WebAssembly.CompileError(
      "WebAssembly.compile(): Refused to compile or instantiate WebAssembly module because 'unsafe-eval' is " +
        'not an allowed source of script',
    )
    vi.stubGlobal('WebAssembly', {
      ...WebAssembly,
      Module: WebAssembly.Module,
      CompileError: WebAssembly.CompileError,
      compile: () => Promise.reject(refused),
    })
    const { opening } = await opened(() => Promise.resolve(new Response(bytes)))
    expect(opening).toContainEqual({
      kind: 'slow-kernel',
      message: expect.stringContaining("add 'wasm-unsafe-eval' to script-src"),
    })
  })

  test('nothing is said when the TypeScript kernel was asked for, or the WebAssembly kernel is there', async () => {
    const there = await opened(() => Promise.resolve(new Response(bytes)))
    expect([there.kernel, there.opening]).toEqual(['wasm-simd', []])
    const asked = await opened(() => Promise.resolve(new Response(bytes)), { referenceKernel: true })
    expect([asked.kernel, asked.opening]).toEqual(['reference', []])
    expect(warn).not.toHaveBeenCalled()
  })
})
