import { OpenedStore } from '../../../../../src/storage/contract/opened-store.js'
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { nodeStorage, salvageFolder } from '../../../../../src/storage/adapters/node/node.js'
import { openInto, put, puts } from '../../../../../src/storage/contract/episodes.js'

/** Who has a folder open, when the number of a process or the path of the lock does not tell. */

const HOLD = fileURLToPath(new URL('../../../../unit/storage/adapters/node/hold.ts', import.meta.url))
/** Runs it in a thread: there `--import tsx` does not reach. */
const IN_THREAD = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(HOLD)})))`
const FILES = ['index.agidb', 'journal-2.agidb', 'journal.agidb']
/** A container has a namespace of processes of its own; making one needs root. It ends soon after unshare does. */
const CONTAINER = ['--pid', '--fork', '--mount-proc', '--kill-child']
const canContain = spawnSync('unshare', [...CONTAINER, 'true']).status === 0

let folder: string
const children: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agidb-'))
})
afterEach(async () => {
  await killAll()
  rmSync(folder, { recursive: true, force: true })
})

async function killAll(): Promise<void> {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
}

/**
 * A process in namespaces of its own that opens a folder and holds it. Resolves to what it says: that it is open, or
 * why not.
 */
async function holdContained(path: string, ...more: readonly string[]): Promise<string> {
  const command = [...CONTAINER, ...more, process.execPath, '--import', 'tsx', HOLD, path]
  const child = spawn('unshare', command, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [said] = (await once(child.stdout!, 'data')) as [Buffer]
  return said.toString().trim()
}

/**
 * Opens a folder in this process and closes it. Resolves to the number of its episodes, or to the code of the refusal.
 */
async function opens(path: string): Promise<number | string> {
  const store = new OpenedStore(nodeStorage(path))
  try {
    const { kept } = await openInto(store)
    await store.close()
    return kept.size
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe.runIf(canContain)('a folder that two containers share', () => {
  test('is refused while a process of the other one has it open, and free as soon as that was killed', async () => {
    expect(await holdContained(folder)).toBe('open')
    expect(await opens(folder)).toBe('AGIDB_IN_USE')
    expect(await holdContained(folder)).toBe('AGIDB_IN_USE')
    await killAll()
    expect(readdirSync(folder)).toContain('lock')
    await expect.poll(() => opens(folder)).toBe(5)
    expect(readdirSync(folder)).toEqual(FILES)
  })

  test('is refused to the other one while this process has it open', async () => {
    const store = new OpenedStore(nodeStorage(folder))
    await store.open(() => undefined)
    expect(await holdContained(folder)).toBe('AGIDB_IN_USE')
    await store.close()
    expect(await holdContained(folder)).toBe('open')
  })

  test('is free at once after the kill of a process whose container had another name and network', async () => {
    const named = ['sh', '-c', 'hostname elsewhere && exec "$0" "$@"']
    expect(await holdContained(folder, '--uts', '--net', ...named)).toBe('open')
    const holder: unknown = JSON.parse(readFileSync(join(folder, 'lock'), 'utf8'))
    expect(holder).toMatchObject({ host: 'elsewhere', pid: 1, socket: 'folder' })
    expect(await opens(folder)).toBe('AGIDB_IN_USE')
    await killAll()
    await expect.poll(() => opens(folder)).toBe(5)
  })

  test('is refused, too, when its path is longer than that of a socket may be', async () => {
    const deep = join(folder, 'a'.repeat(120), 'b'.repeat(120))
    const store = new OpenedStore(nodeStorage(deep))
    await store.open(() => undefined)
    expect((await store.stats()).opening.map(({ kind }) => kind)).toEqual(['created'])
    expect(readdirSync(deep).some((name) => name.endsWith('.sock'))).toBe(true)
    expect(await holdContained(deep)).toBe('AGIDB_IN_USE')
    await store.close()
    expect(readdirSync(deep)).toEqual(FILES)
    expect(await holdContained(deep)).toBe('open')
    expect(await opens(deep)).toBe('AGIDB_IN_USE')
  })

  test('is refused with the name of the lock when its socket was deleted', async () => {
    expect(await holdContained(folder)).toBe('open')
    for (const name of readdirSync(folder)) if (name.endsWith('.sock')) rmSync(join(folder, name))
    const lock = join(folder, 'lock')
    await expect(new OpenedStore(nodeStorage(folder)).open(() => undefined)).rejects.toMatchObject({
      code: 'AGIDB_IN_USE',
      message: expect.stringMatching(/another container .* delete /),
      details: { pid: 1, lock },
    })
    await killAll()
    expect(await opens(folder)).toBe('AGIDB_IN_USE')
    rmSync(lock)
    await expect.poll(() => opens(folder)).toBe(5)
  })
})

describe('a thread that has a folder open', () => {
  test('and is terminated leaves the folder free for the rest of the process', async () => {
    for (const round of [1, 2]) {
      const worker = new Worker(IN_THREAD, { eval: true, argv: [folder], stdout: true })
      const [said] = (await once(worker.stdout, 'data')) as [Buffer]
      expect(said.toString().trim()).toBe('open')
      expect(await opens(folder)).toBe('AGIDB_IN_USE')
      await worker.terminate()
      expect(await opens(folder)).toBe(5 * round)
      expect(readdirSync(folder)).toEqual(FILES)
    }
  })
})

test('a process that has a folder open and nothing more to do ends', () => {
  const adapter = new URL('../../../../../src/storage/adapters/node/node.ts', import.meta.url).href
  const script = `const { nodeStorage } = await import(${JSON.stringify(adapter)})
    await nodeStorage(${JSON.stringify(folder)}).open(() => undefined)`
  execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { timeout: 50_000 })
  expect(existsSync(join(folder, 'lock'))).toBe(true)
})

describe.runIf(process.platform === 'linux')('a copy of a folder that is made of hard links', () => {
  async function linkedCopy(): Promise<readonly [string, string]> {
    const [original, copy] = [join(folder, 'original'), join(folder, 'copy')]
    const store = new OpenedStore(nodeStorage(original))
    await store.open(() => undefined)
    await store.commit(puts(0, 3))
    await store.close()
    mkdirSync(copy)
    for (const name of FILES) linkSync(join(original, name), join(copy, name))
    return [original, copy]
  }

  test('is refused while the original is open, and the other way round', async () => {
    for (const [first, second] of [await linkedCopy()].flatMap(([a, b]) => [
      [a, b],
      [b, a],
    ])) {
      const store = new OpenedStore(nodeStorage(first))
      await store.open(() => undefined)
      const refused = { code: 'AGIDB_IN_USE', message: expect.stringContaining('hard link') }
      await expect(new OpenedStore(nodeStorage(second)).open(() => undefined)).rejects.toMatchObject(refused)
      await expect(salvageFolder(second)).rejects.toMatchObject(refused)
      expect(readdirSync(second)).toEqual(FILES)
      await store.close()
    }
  })

  test('opens when the original is closed, has what it has, and says what is linked', async () => {
    const [original, copy] = await linkedCopy()
    const store = new OpenedStore(nodeStorage(copy))
    expect((await openInto(store)).kept.size).toBe(3)
    const files = expect.arrayContaining([join(copy, 'journal.agidb')])
    expect((await store.stats()).opening).toMatchObject([{ kind: 'hard-links', details: { files } }])
    await store.commit([put(3)])
    await store.close()
    expect(await opens(original)).toBe(4)
  })

  test('is refused, too, when only one of its files is linked', async () => {
    const [original, copy] = await linkedCopy()
    for (const name of ['journal-2.agidb', 'index.agidb']) rmSync(join(copy, name))
    const store = new OpenedStore(nodeStorage(original))
    await store.open(() => undefined)
    expect(await opens(copy)).toBe('AGIDB_IN_USE')
    await store.close()
  })

  test('is refused, too, when the lock of the original was deleted', async () => {
    const store = new OpenedStore(nodeStorage(folder))
    await store.open(() => undefined)
    rmSync(join(folder, 'lock'))
    expect(await opens(folder)).toBe('AGIDB_IN_USE')
    await store.close()
    expect(await opens(folder)).toBe(0)
  })
})

test('a lock that is empty because its holder is just writing it is not free', async () => {
  const lock = join(folder, 'lock')
  writeFileSync(lock, '')
  const store = new OpenedStore(nodeStorage(folder))
  const opening = store.open(() => undefined)
  setTimeout(() => writeFileSync(lock, JSON.stringify({ pid: process.pid, token: 'an-earlier-version' })), 30)
  await expect(opening).rejects.toMatchObject({ code: 'AGIDB_IN_USE', details: { pid: process.pid } })
})
