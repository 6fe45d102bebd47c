import { OpenedStore } from '../../../../../src/storage/contract/opened-store.js'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { nodeStorage } from '../../../../../src/storage/adapters/node/node.js'
import { addressOf, listen } from '../../../../../src/storage/adapters/node/socket.js'
import { openInto, puts } from '../../../../../src/storage/contract/episodes.js'

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const linux = process.platform === 'linux'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agidb-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function refusal(path: string): Promise<{ code: string; message: string; details: Record<string, unknown> }> {
  const store = new OpenedStore(nodeStorage(path))
  return store
    .open(() => undefined)
    .then(
      async () => {
        await store.close()
        throw new Error(`${path} was opened`)
      },
      (error) => error,
    )
}

/** Where an open file of this process is. */
function linkOf(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return undefined // The one with which the folder was listed.
  }
}

async function opens(path: string): Promise<number> {
  const store = new OpenedStore(nodeStorage(path))
  const { kept } = await openInto(store)
  await store.close()
  return kept.size
}

describe('the folder', () => {
  test('is made with those above it, and holds the journals and the image once closed', async () => {
    const path = join(folder, 'a', 'b')
    expect(await opens(path)).toBe(0)
    expect(readdirSync(path)).toEqual(['index.agidb', 'journal-2.agidb', 'journal.agidb'])
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  test('may not be a file', async () => {
    const path = join(folder, 'file')
    writeFileSync(path, 'text')
    expect(await refusal(path)).toMatchObject({
      code: 'AGIDB_STORAGE',
      message: expect.stringContaining('is no folder'),
    })
    expect((await refusal(join(path, 'below'))).code).toBe('AGIDB_STORAGE')
    expect(readFileSync(path, 'utf8')).toBe('text')
  })

  test('that holds other things and no database is left alone', async () => {
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    expect(await refusal(folder)).toMatchObject({
      code: 'AGIDB_FOREIGN_FILE',
      message: expect.stringContaining('notes.txt'),
    })
    expect(readdirSync(folder)).toEqual(['notes.txt'])
  })

  test('that holds other things is not even written to for a moment', async () => {
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    utimesSync(folder, 1000, 1000)
    expect((await refusal(folder)).code).toBe('AGIDB_FOREIGN_FILE')
    expect(statSync(folder).mtimeMs).toBe(1_000_000)
  })

  test.skipIf(process.platform === 'win32')('whose path goes in a circle is refused with a code of ours', async () => {
    const path = join(folder, 'circle')
    symlinkSync(path, path)
    expect((await refusal(path)).code).toBe('AGIDB_STORAGE')
  })

  test('may hold a configuration before it holds a database', async () => {
    writeFileSync(join(folder, 'agidb.toml'), 'search_top_k = 3')
    expect(await opens(folder)).toBe(0)
    expect(readFileSync(join(folder, 'agidb.toml'), 'utf8')).toBe('search_top_k = 3')
  })

  test('may hold other things beside a database', async () => {
    await opens(folder)
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    expect(await opens(folder)).toBe(0)
  })

  test.skipIf(!linux)('whose journal got the inode of a file that somebody is just closing is opened', async () => {
    await opens(folder)
    const { dev, ino } = statSync(join(folder, 'journal.agidb'), { bigint: true })
    const release = await listen(addressOf('abstract', `${dev}-${ino}`))
    setTimeout(release, 60)
    expect(await opens(folder)).toBe(0)
  })

  test('whose journal is a folder is refused', async () => {
    mkdirSync(join(folder, 'journal.agidb'))
    expect((await refusal(folder)).code).toBe('AGIDB_STORAGE')
    expect(existsSync(join(folder, 'lock'))).toBe(false)
  })

  test('in which nothing can be made is refused', async () => {
    expect((await refusal('/proc/agidb')).code).toBe('AGIDB_STORAGE')
  })
})

describe('the lock', () => {
  const children: ChildProcess[] = []

  /** A process that opens the folder and holds it. Resolves to what it says: that it is open, or why not. */
  async function hold(): Promise<string> {
    const child = spawn(process.execPath, ['--import', 'tsx', script('hold.ts'), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    const [said] = (await once(child.stdout!, 'data')) as [Buffer]
    return said.toString().trim()
  }

  async function killAll(): Promise<void> {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    }
  }

  afterEach(killAll)

  test('keeps another process out and names it; a killed one is taken over at once', async () => {
    expect(await hold()).toBe('open')
    const [{ pid }] = children
    const error = await refusal(folder)
    expect(error).toMatchObject({ code: 'AGIDB_IN_USE', details: { pid } })
    expect(error.message).toContain(String(pid))
    await killAll()
    expect(existsSync(join(folder, 'lock'))).toBe(true)
    expect(await opens(folder)).toBe(5)
    expect(readdirSync(folder)).toEqual(['index.agidb', 'journal-2.agidb', 'journal.agidb'])
  })

  test('of a killed process goes to one of those that ask for it at the same time', async () => {
    await hold()
    await killAll()
    const said = await Promise.all(Array.from({ length: 6 }, hold))
    expect(said.sort()).toEqual([...Array.from({ length: 5 }, () => 'AGIDB_IN_USE'), 'open'])
  })

  test.runIf(linux)('of an earlier process with the same number is taken over', async () => {
    await opens(folder)
    writeFileSync(
      join(folder, 'lock'),
      JSON.stringify({ pid: process.pid, started: 'an earlier boot:1', token: 'abc' }),
    )
    expect(await opens(folder)).toBe(0)
  })

  test('of a process that never was, or without sense, is taken over', async () => {
    await opens(folder)
    for (const text of [
      '',
      'null',
      '{"pid":"x"}',
      JSON.stringify({ pid: 2 ** 22 + 1, token: 'abc' }),
      '{"pid":1,"token":"../../../../x"}',
      '{"pid":1}',
      '7',
      `{"pid":${process.pid},"token":"x y"}`,
    ]) {
      writeFileSync(join(folder, 'lock'), text)
      expect(await opens(folder)).toBe(0)
    }
  })

  test('of another machine is not taken over, whatever its process', async () => {
    await opens(folder)
    const lock = join(folder, 'lock')
    const holder = (host?: string) => JSON.stringify({ host, pid: 2 ** 22 + 1, token: 'abc' })
    writeFileSync(lock, holder('another-machine'))
    const error = await refusal(folder)
    expect(error).toMatchObject({ code: 'AGIDB_IN_USE', details: { host: 'another-machine', lock } })
    expect(error.message).toContain(`of the machine another-machine has this database open`)
    expect(error.message).toContain(`delete ${lock}`)
    expect(readFileSync(lock, 'utf8')).toBe(holder('another-machine'))
    for (const host of [hostname(), undefined]) {
      writeFileSync(lock, holder(host))
      expect(await opens(folder)).toBe(0)
    }
  })

  test.runIf(linux)('is given back even when the journal cannot be closed', async () => {
    const store = new OpenedStore(nodeStorage(folder))
    await store.open(() => undefined)
    const journal = join(folder, 'journal.agidb')
    const fd = readdirSync('/proc/self/fd').find((number) => linkOf(number) === journal)
    closeSync(Number(fd))
    await expect(store.close()).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    expect(existsSync(join(folder, 'lock'))).toBe(false)
    await store.close()
    expect(await opens(folder)).toBe(0)
  })

  test('is not given back by one who lost it', async () => {
    const store = new OpenedStore(nodeStorage(folder))
    await store.open(() => undefined)
    const other = JSON.stringify({ pid: process.pid, token: 'other' })
    writeFileSync(join(folder, 'lock'), other)
    await store.close()
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(other)
  })
})

test.skipIf(process.platform === 'win32')(
  'a file that may not grow refuses the commit whole, and what is there can be read',
  async () => {
    // A limit on the size of a file, in units of 1,024 bytes, hits at any byte of a frame.
    const limited = `ulimit -f 100 && exec "$0" --import tsx "$1" "$2"`
    const { stdout } = await promisify(execFile)('bash', ['-c', limited, process.execPath, script('fill.ts'), folder])
    const outcome = JSON.parse(stdout)
    expect(outcome).toMatchObject({ code: 'AGIDB_QUOTA', readable: true, afterwards: null })
    expect(outcome.committed).toBeGreaterThan(0)
    const { kept } = await (async () => {
      const store = new OpenedStore(nodeStorage(folder))
      const opened = await openInto(store)
      expect((await store.stats()).opening).toEqual([])
      await store.commit(puts(2000, 10, 1000))
      await store.close()
      return opened
    })()
    expect(kept.size).toBe(outcome.committed + (outcome.small === 'committed' ? 1 : 0))
  },
)

test('the bytes of a last commit with a flipped bit are kept beside the journal', async () => {
  const path = join(folder, 'journal.agidb')
  const store = new OpenedStore(nodeStorage(folder))
  await store.open(() => undefined)
  await store.commit(puts(0, 2))
  const end = statSync(path).size
  await store.commit(puts(2, 1))
  const bytes = readFileSync(path) // as a process that is killed leaves it
  await store.close()
  bytes[bytes.length - 1] ^= 1
  for (let round = 1; round <= 2; round++) {
    writeFileSync(path, bytes)
    const again = new OpenedStore(nodeStorage(folder))
    expect((await openInto(again)).kept.size).toBe(2)
    const [{ kind, message, details }] = (await again.stats()).opening
    await again.close()
    const kept = `${path}.torn-${end}`
    const last = bytes.subarray(end)
    expect([kind, details]).toEqual([
      'torn-tail',
      { file: path, found: 'checksum-mismatch', offset: end, bytes: last.length, kept },
    ])
    expect(message).toContain('a whole commit with a wrong checksum')
    expect(readFileSync(kept)).toEqual(Buffer.concat(Array.from({ length: round }, () => last)))
  }
})
