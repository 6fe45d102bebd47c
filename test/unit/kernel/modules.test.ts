import { readFile } from 'node:fs/promises'
import { beforeEach, describe, expect, test, vi } from 'vitest'

async function compiled(name: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL(`../../../src/kernel/built/${name}.wasm`, import.meta.url)))
}

const [whole, core, graphs] = await Promise.all(['agidb_kernel_bg', 'agidb_core_bg', 'agidb_graphs_bg'].map(compiled))
const exportsOf = (module: WebAssembly.Module) => WebAssembly.Module.exports(module).map(({ name }) => name)
const importsOf = (module: WebAssembly.Module) => WebAssembly.Module.imports(module).map(({ name }) => name)

describe('the modules of the kernel', () => {
  // The glue keeps its instance: a fresh copy of the modules for each test.
  beforeEach(() => vi.resetModules())

  /** A kernel in a fresh program, and what that program has for graphs. */
  async function opened(kernel: WebAssembly.Module) {
    const { loadKernel } = await import('../../../src/kernel/load.js')
    const { bringsGraphs } = await import('../../../src/kernel/brought-graphs.js')
    return { loaded: await loadKernel({ kernel }), bringsGraphs, ...(await import('../../../src/kernel/graphs.js')) }
  }

  /** What a walk reaches over three episodes. */
  function walked({ graphKernelOf, loaded }: Awaited<ReturnType<typeof opened>>) {
    const associations = graphKernelOf(loaded).associations()
    associations.strengthen(1, 2, 0.5)
    associations.strengthen(2, 3, 0.25)
    const reached = graphKernelOf(loaded).pageRank({ associations }, Uint32Array.of(1), Float32Array.of(1))
    return [reached, associations.save()]
  }

  test('the whole kernel exports what its two parts export and two scans, and imports what the core imports', () => {
    const scans = ['wasmarena_scanMany', 'wasmarena_scanPruned']
    expect(exportsOf(whole).sort()).toEqual([...new Set([...exportsOf(core), ...exportsOf(graphs), ...scans])].sort())
    expect(importsOf(whole).sort()).toEqual(importsOf(core).sort())
  })

  test('the whole kernel has its graphs in its own memory', async () => {
    const program = await opened(whole)
    expect(program.bringsGraphs(program.loaded)).toBe(true)
    const before = program.loaded.memoryBytes
    const many = program.graphKernelOf(program.loaded).associations()
    for (let slot = 0; slot < 100_000; slot++) many.strengthen(slot, slot + 1, 1)
    expect(program.loaded.memoryBytes).toBeGreaterThan(before)
    expect(program.graphMemoryBytes(program.loaded)).toBe(0)
  })

  test('the core has no graphs until their module is loaded, which has a memory of its own', async () => {
    const program = await opened(core)
    expect(program.bringsGraphs(program.loaded)).toBe(false)
    expect(() => program.graphKernelOf(program.loaded)).toThrow('the module of the graphs is not loaded')
    await expect(program.loadGraphs(core)).rejects.toThrow(/does not export wasmassociations_new/)
    await Promise.all([program.loadGraphs(graphs), program.loadGraphs(graphs)])
    const kernelBytes = program.loaded.memoryBytes
    const before = program.graphMemoryBytes(program.loaded)!
    const many = program.graphKernelOf(program.loaded).associations()
    for (let slot = 0; slot < 100_000; slot++) many.strengthen(slot, slot + 1, 1)
    expect(program.graphMemoryBytes(program.loaded)).toBeGreaterThan(before)
    expect(program.loaded.memoryBytes).toBe(kernelBytes)
  })

  test('graphs of their own module tell what those of the whole kernel tell', async () => {
    const expected = walked(await opened(whole))
    vi.resetModules()
    const program = await opened(core)
    await program.loadGraphs(graphs)
    expect(walked(program)).toEqual(expected)
    expect(program.loaded.fromName('a')).toHaveLength(1024)
  })

  test('the core scans one query after the other, and exactly, where the whole kernel has other scans', async () => {
    const scanned = async (kernel: WebAssembly.Module) => {
      vi.resetModules()
      const { loaded } = await opened(kernel)
      const arena = loaded.arena({ rows: 64 })
      for (let slot = 0; slot < 64; slot++) arena.set(slot, loaded.fromName(`signature ${slot}`))
      const queries = [3, 40].map((slot) => {
        const signs = loaded.fromName(`signature ${slot}`)
        return { signs, norm: Math.sqrt(8192) }
      })
      return [arena.scanMany(queries, 5), arena.scanPruned(queries[0], 1)]
    }
    const inCore = await scanned(core)
    expect(inCore).toEqual(await scanned(whole))
    expect((inCore[0] as { slots: Uint32Array }[])[1].slots[0]).toBe(40)
  })
})
