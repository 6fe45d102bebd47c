import { OpenedStore } from '../../../../../src/storage/contract/opened-store.js'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  type writeSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Findings } from '../../../../../src/api/findings.js'
import { nodeStorage, salvageFolder, verifyFolder } from '../../../../../src/storage/adapters/node/node.js'
import {
  absentFile,
  fileError,
  guard,
  openForReading,
  openNodeFile,
  syncFolder,
} from '../../../../../src/storage/adapters/node/file.js'
import { takeLock } from '../../../../../src/storage/adapters/node/lock.js'
import { openInto, puts } from '../../../../../src/storage/contract/episodes.js'

/** What calls to the file system do instead, by their names. */
const instead = vi.hoisted(() => new Map<string, (...args: never[]) => unknown>())
const NAMES = vi.hoisted(() => [
  'linkSync',
  'copyFileSync',
  'readFileSync',
  'writeFileSync',
  'mkdirSync',
  'renameSync',
  'openSync',
  'readSync',
  'statfsSync',
])
vi.mock('node:fs', async (original) => {
  const real: Record<string, unknown> = await original()
  const replaced =
    (name: string) =>
    (...args: never[]) =>
      (instead.get(name) ?? (real[name] as (...args: never[]) => unknown))(...args)
  // As much of a write as is allowed, for `promisify`.
  const writing = async (fd: number, bytes: Uint8Array, offset: number, length: number, at: number) => {
    const most = (instead.get('write')?.() as number | undefined) ?? length
    return { bytesWritten: (real['writeSync'] as typeof writeSync)(fd, bytes, offset, Math.min(length, most), at) }
  }
  return {
    ...real,
    ...Object.fromEntries(NAMES.map((name) => [name, replaced(name)])),
    write: Object.assign(() => {}, { [Symbol.for('nodejs.util.promisify.custom')]: writing }),
  }
})

const real = await vi.importActual<typeof import('node:fs')>('node:fs')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agidb-'))
})
afterEach(() => {
  instead.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const failure = (code: string) => (): never => {
  throw Object.assign(new Error(`it says ${code}`), { code })
}

async function made(): Promise<string> {
  const path = join(folder, 'memory')
  const store = new OpenedStore(nodeStorage(path))
  await store.open(() => undefined)
  await store.commit(puts(0, 3))
  await store.close()
  return path
}

describe('a lock', () => {
  test('is a folder where there are no links, and holds as well as a file', async () => {
    const path = join(folder, 'lock')
    for (const code of ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']) {
      instead.set('linkSync', failure(code))
      const { release } = await takeLock(path)
      expect(JSON.parse(readFileSync(join(path, 'holder'), 'utf8'))).toMatchObject({ pid: process.pid })
      await expect(takeLock(path)).rejects.toMatchObject({
        code: 'AGIDB_IN_USE',
        details: { pid: process.pid, lock: path },
      })
      // Programs on a machine from which the same file system looks as if it had links.
      instead.clear()
      await expect(takeLock(path)).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
      release()
      expect(readdirSync(folder)).toEqual([])
    }
  })

  test('goes to one of many that ask at once where there are no links, also when its holder is dead', async () => {
    const path = join(folder, 'lock')
    instead.set('linkSync', failure('EPERM'))
    for (const left of [undefined, { pid: 4_000_000, token: 'dead' }]) {
      if (left !== undefined) {
        mkdirSync(path)
        writeFileSync(join(path, 'holder'), JSON.stringify(left))
      }
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => takeLock(path)))
      const taken = outcomes.filter((outcome) => outcome.status === 'fulfilled')
      expect(taken).toHaveLength(1)
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'AGIDB_IN_USE' })
      }
      taken[0].value.release()
      expect(readdirSync(folder)).toEqual([])
    }
  })

  test('is never seen without its holder where there are no links', async () => {
    const path = join(folder, 'lock')
    instead.set('linkSync', failure('EPERM'))
    const seen: (string | undefined)[] = []
    for (const name of ['copyFileSync', 'mkdirSync', 'renameSync', 'writeFileSync'] as const) {
      instead.set(name, ((...args: never[]) => {
        const done = (real[name] as (...args: never[]) => unknown)(...args)
        const file = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, 'holder') : path
        seen.push(existsSync(path) ? readFileSync(file, 'utf8') : undefined)
        return done
      }) as never)
    }
    const { release } = await takeLock(path)
    expect(seen.at(-1)).toContain('"pid"')
    for (const text of seen) if (text !== undefined) expect(JSON.parse(text)).toMatchObject({ pid: process.pid })
    release()
  })

  test('that is an empty folder, as a removal that was cut short leaves it, is taken', async () => {
    const path = join(folder, 'lock')
    for (const links of [true, false]) {
      mkdirSync(path)
      if (!links) instead.set('linkSync', failure('EPERM'))
      ;(await takeLock(path)).release()
      expect(readdirSync(folder)).toEqual([])
    }
  })

  test('that cannot be made is an error with a code, and leaves nothing', async () => {
    const path = join(folder, 'lock')
    instead.set('linkSync', failure('EROFS'))
    await expect(takeLock(path)).rejects.toMatchObject({ code: 'AGIDB_STORAGE', details: { code: 'EROFS' } })
    instead.set('linkSync', failure('EPERM'))
    for (const name of ['mkdirSync', 'renameSync']) {
      instead.set(name, failure('ENOSPC'))
      // A socket needs a rename, too, and is done without.
      await expect(takeLock(path)).rejects.toMatchObject({ code: 'AGIDB_QUOTA' })
      instead.delete(name)
    }
    instead.set('linkSync', () => {
      throw new Error('without a code')
    })
    await expect(takeLock(path)).rejects.toThrow(/without a code/)
    expect(readdirSync(folder)).toEqual([])
  })

  test('that is a link that leads nowhere, or a folder with other things, is refused and named', async () => {
    const path = join(folder, 'lock')
    const refused = { code: 'AGIDB_STORAGE', message: expect.stringContaining(`${path} is neither`) }
    symlinkSync(join(folder, 'nowhere'), path)
    await expect(takeLock(path)).rejects.toMatchObject(refused)
    expect(readdirSync(folder)).toEqual(['lock'])
    rmSync(path)
    mkdirSync(path)
    writeFileSync(join(path, 'other'), '')
    await expect(takeLock(path)).rejects.toMatchObject(refused)
    expect(readdirSync(folder)).toEqual(['lock'])
  })

  test('that is gone when it is looked at is taken', async () => {
    instead.set('linkSync', () => {
      instead.clear()
      return failure('EEXIST')()
    })
    ;(await takeLock(join(folder, 'lock'))).release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('of another machine is never taken over; without a valid machine name its process id decides', async () => {
    const path = join(folder, 'lock')
    writeFileSync(path, JSON.stringify({ host: 'another', pid: 4_000_000, token: 'other' }))
    await expect(takeLock(path)).rejects.toMatchObject({
      code: 'AGIDB_IN_USE',
      details: { pid: 4_000_000, host: 'another', lock: path },
      message: expect.stringContaining('of the machine another'),
    })
    for (const text of [
      '',
      '7',
      'null',
      '[]',
      '{"pid":"4"}',
      `{"pid":${process.pid}}`,
      `{"pid":${process.pid},"token":"../../../../x"}`,
      `{"pid":${process.pid},"token":"x y"}`,
      `{"pid":${process.pid}.5,"token":"x"}`,
      '{"pid":0,"token":"x"}',
      '{"pid":-1,"token":"x"}',
    ]) {
      writeFileSync(path, text)
      const { release } = await takeLock(path)
      expect(JSON.parse(readFileSync(path, 'utf8')), text).toMatchObject({ pid: process.pid, host: hostname() })
      release()
      expect(readdirSync(folder)).toEqual([])
    }
    // Locks of earlier versions name no machine.
    writeFileSync(path, JSON.stringify({ pid: process.pid, token: 'other' }))
    await expect(takeLock(path)).rejects.toMatchObject({
      code: 'AGIDB_IN_USE',
      message: expect.stringContaining(`this process (${process.pid})`),
    })
  })

  test('is given back by who has it, and by nobody else', async () => {
    const path = join(folder, 'lock')
    const { release } = await takeLock(path)
    expect(statSync(path).mode & 0o077).toBe(0)
    const other = JSON.stringify({ pid: process.pid, token: 'other' })
    writeFileSync(path, other)
    release()
    expect(readFileSync(path, 'utf8')).toBe(other)
    release()
    expect(readdirSync(folder)).toEqual(['lock'])
    rmSync(path)
    const again = await takeLock(path)
    rmSync(path)
    again.release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('of a dead process that another one takes over meanwhile is looked at again', async () => {
    const path = join(folder, 'lock')
    vi.spyOn(process, 'kill').mockImplementation(failure('ESRCH'))
    const dead = (token: string): string => JSON.stringify({ pid: 4_000_000, token })
    writeFileSync(path, dead('first'))
    const seen: string[] = []
    instead.set('readFileSync', ((name: string, how: 'utf8') => {
      const text = real.readFileSync(name, how)
      if (name !== path) return text
      seen.push((JSON.parse(text) as { token: string }).token)
      // Between the last look and the one that nobody else can come before, somebody else had it, and died.
      if (seen.length === 2) writeFileSync(path, dead('second'))
      return text
    }) as never)
    const { release } = await takeLock(path)
    expect(seen).toEqual(['first', 'first', 'second', 'second', 'second'])
    instead.clear()
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid })
    release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('that cannot be read for another reason is an error', async () => {
    writeFileSync(join(folder, 'lock'), 'x')
    instead.set('readFileSync', failure('EACCES'))
    await expect(takeLock(join(folder, 'lock'))).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
      details: { code: 'EACCES' },
    })
  })

  test('of a process of another user is one of a process that lives', async () => {
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: 4_000_000, token: 'other' }))
    vi.spyOn(process, 'kill').mockImplementation(failure('EPERM'))
    await expect(takeLock(join(folder, 'lock'))).rejects.toMatchObject({
      code: 'AGIDB_IN_USE',
      message: expect.stringContaining('process 4000000 has'),
    })
    vi.spyOn(process, 'kill').mockImplementation(failure('ESRCH'))
    ;(await takeLock(join(folder, 'lock'))).release()
  })

  test.runIf(process.platform === 'linux')(
    'of a zombie process is taken over; without a known start time its process id decides',
    async () => {
      const path = join(folder, 'lock')
      const held = JSON.stringify({ pid: 4_000_000, started: 'boot:77', token: 'other' })
      vi.spyOn(process, 'kill').mockImplementation(() => true)
      const stat = (answer: () => string): void => {
        writeFileSync(path, held)
        instead.set('readFileSync', ((name: string, how: 'utf8') =>
          name === '/proc/4000000/stat' ? answer() : real.readFileSync(name, how)) as never)
      }
      stat(failure('ENOENT'))
      await expect(takeLock(path)).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
      // Of those that live the boot is another one, so that it is another process.
      for (const state of ['Z', 'X', 'S']) {
        stat(() => `4000000 (a) name) ${state} ${'0 '.repeat(18)}77 0`)
        ;(await takeLock(path)).release()
      }
      const boot = real.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      for (const [state, started] of [
        ['Z', '77'],
        ['X', '77'],
        ['S', '78'],
      ]) {
        stat(() => `4000000 (a) name) ${state} ${'0 '.repeat(18)}${started} 0`)
        writeFileSync(path, JSON.stringify({ pid: 4_000_000, started: `${boot}:77`, token: 'other' }))
        ;(await takeLock(path)).release()
      }
      stat(() => `4000000 (a) name) S ${'0 '.repeat(18)}77 0`)
      writeFileSync(path, JSON.stringify({ pid: 4_000_000, started: `${boot}:77`, token: 'other' }))
      await expect(takeLock(path)).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    },
  )
})

describe('a file of the file system', () => {
  test('that fails has a code: for want of room, or another', () => {
    for (const code of ['ENOSPC', 'EDQUOT', 'EFBIG'])
      expect(fileError(Object.assign(new Error(), { code }), 'writing')).toMatchObject({
        code: 'AGIDB_QUOTA',
        details: { code },
      })
    expect(fileError(Object.assign(new Error('odd'), { code: 'EIO' }), 'writing')).toMatchObject({
      code: 'AGIDB_STORAGE',
      message: 'failed writing: odd',
      details: { code: 'EIO' },
    })
    expect(fileError(new Error('odd'), 'writing')).toMatchObject({
      code: 'AGIDB_STORAGE',
      details: { code: undefined },
    })
    expect(() => guard('reading', failure('EIO'))).toThrow(expect.objectContaining({ code: 'AGIDB_STORAGE' }))
    expect(guard('reading', () => 5)).toBe(5)
  })

  test('writes, reads, is cut and flushed; what is closed refuses with a code', async () => {
    const file = openNodeFile(join(folder, 'file'))
    await file.write(3, Uint8Array.of(1, 2, 3, 4))
    const into = new Uint8Array(10)
    expect([file.name, await file.size(), await file.read(2, into), [...into.subarray(0, 5)]]).toEqual([
      join(folder, 'file'),
      7,
      5,
      [0, 1, 2, 3, 4],
    ])
    await file.truncate(5)
    await file.flush()
    expect([await file.size(), await file.read(0, into), await file.read(9, into)]).toEqual([5, 5, 0])
    await file.close()
    for (const call of [() => file.write(0, into), () => file.truncate(0), () => file.flush()])
      await expect(call()).rejects.toMatchObject({ code: 'AGIDB_STORAGE' })
    for (const call of [() => file.size(), () => file.read(0, into), () => file.close()])
      expect(call).toThrow(expect.objectContaining({ code: 'AGIDB_STORAGE' }))
    expect(() => openNodeFile(join(folder, 'no', 'file'))).toThrow(
      expect.objectContaining({ code: 'AGIDB_STORAGE', details: { code: 'ENOENT' } }),
    )
  })

  test('that takes only a part at a time gets all, and gives all', async () => {
    const path = join(folder, 'file')
    const file = openNodeFile(path)
    const bytes = Uint8Array.from({ length: 100 }, (_, i) => i)
    instead.set('write', () => 7)
    await file.write(3, bytes)
    instead.clear()
    expect(new Uint8Array(readFileSync(path))).toEqual(new Uint8Array([0, 0, 0, ...bytes]))
    const lengths: number[] = []
    instead.set('readSync', ((fd: number, into: Uint8Array, offset: number, length: number, position: number) => {
      lengths.push(length)
      return real.readSync(fd, into, offset, Math.min(length, 30), position)
    }) as never)
    const into = new Uint8Array(100)
    expect([await file.read(3, into), into]).toEqual([100, bytes])
    expect(lengths).toEqual([100, 70, 40, 10])
    await file.close()
  })

  test('for reading only refuses every change, whether it is there or not', async () => {
    writeFileSync(join(folder, 'file'), 'abc')
    const into = new Uint8Array(5)
    for (const [name, size] of [
      ['file', 3],
      ['none', 0],
    ] as const) {
      const file = openForReading(join(folder, name))
      expect([file.name, await file.size(), await file.read(0, into)]).toEqual([join(folder, name), size, size])
      for (const change of [() => file.write(0, into), () => file.truncate(0), () => file.flush()])
        expect(change).toThrow(expect.objectContaining({ code: 'AGIDB_STORAGE' }))
      await file.close()
    }
    expect(existsSync(join(folder, 'none'))).toBe(false)
    const absent = absentFile('nowhere')
    expect([absent.name, await absent.size(), await absent.read(0, into)]).toEqual(['nowhere', 0, 0])
    for (const change of [() => absent.write(0, into), () => absent.truncate(0)])
      expect(change).toThrow(expect.objectContaining({ code: 'AGIDB_READ_ONLY' }))
    await absent.flush()
    await absent.close()
  })

  test('has its name flushed with its folder, but on Windows', () => {
    expect(() => syncFolder(join(folder, 'none'))).toThrow(expect.objectContaining({ code: 'AGIDB_STORAGE' }))
    vi.stubGlobal('process', { ...process, platform: 'win32' })
    expect(() => syncFolder(join(folder, 'none'))).not.toThrow()
  })
})

describe('a folder', () => {
  test('without a database is not made one for reading; with one it is opened with what it has', async () => {
    await expect(
      new OpenedStore(nodeStorage(join(folder, 'none'), { create: false })).open(() => undefined),
    ).rejects.toMatchObject({
      code: 'AGIDB_NOT_FOUND',
      details: { path: join(folder, 'none') },
    })
    expect(existsSync(join(folder, 'none'))).toBe(false)
    const path = await made()
    rmSync(join(path, 'journal-2.agidb'))
    rmSync(join(path, 'index.agidb'))
    const store = new OpenedStore(nodeStorage(path, { create: false }))
    expect((await openInto(store)).kept.size).toBe(3)
    await expect(store.parts.maintenance!.compact()).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
    expect((await store.stats()).room!.of).toBeGreaterThan((await store.stats()).room!.used)
    await store.close()
    expect(readdirSync(path)).toEqual(['journal.agidb'])
  })

  test('that somebody else makes at the same moment, or that is a file, or holds other things', async () => {
    instead.set('mkdirSync', ((path: string) => {
      real.mkdirSync(path)
      return failure('EEXIST')()
    }) as never)
    await made()
    // What is made is not yet on the disk where the folder above cannot be flushed.
    instead.set('openSync', ((name: string, ...rest: [number]) =>
      name === folder ? failure('EIO')() : real.openSync(name, ...rest)) as never)
    await expect(new OpenedStore(nodeStorage(join(folder, 'unflushed'))).open(() => undefined)).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
      message: expect.stringContaining(`flushing the folder ${folder}`),
    })
    instead.set('mkdirSync', failure('EACCES'))
    await expect(new OpenedStore(nodeStorage(join(folder, 'new'))).open(() => undefined)).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
      details: { code: 'EACCES' },
    })
    instead.clear()
    writeFileSync(join(folder, 'file'), '')
    await expect(new OpenedStore(nodeStorage(join(folder, 'file'))).open(() => undefined)).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
      message: expect.stringContaining('is no folder'),
    })
    await expect(new OpenedStore(nodeStorage(folder)).open(() => undefined)).rejects.toMatchObject({
      code: 'AGIDB_FOREIGN_FILE',
    })
    mkdirSync(join(folder, 'locked'))
    writeFileSync(join(folder, 'locked', 'lock.rest'), '')
    const store = new OpenedStore(nodeStorage(join(folder, 'locked')))
    await store.open(() => undefined)
    await store.close()
  })

  test('that is named in folders that are not there is made with them, for this user alone', async () => {
    const path = join(folder, 'a', 'b', 'c')
    const store = new OpenedStore(nodeStorage(path, { durability: 'relaxed' }))
    await store.open(() => undefined)
    expect([statSync(path).mode & 0o777, statSync(join(folder, 'a')).mode & 0o777]).toEqual([0o700, 0o700])
    expect(readdirSync(path).sort()).toEqual([
      'index.agidb',
      'journal-2.agidb',
      'journal.agidb',
      'lock',
      expect.stringMatching(/^lock\..+\.sock$/),
    ])
    expect(statSync(join(path, 'journal.agidb')).mode & 0o777).toBe(0o600)
    expect((await store.stats()).durability).toBe('relaxed')
    await store.close()
  })

  test('says how much room its disk has, for those who may not use all of it', async () => {
    instead.set('statfsSync', () => ({ bsize: 4096, blocks: 1000, bfree: 300, bavail: 250 }))
    const store = new OpenedStore(nodeStorage(join(folder, 'room')))
    await store.open(() => undefined)
    expect((await store.stats()).room).toEqual({ used: 700 * 4096, of: 950 * 4096, persisted: true })
    instead.set('statfsSync', failure('EIO'))
    await expect(store.stats()).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
      message: expect.stringContaining('measuring the disk'),
    })
    instead.clear()
    await store.close()
  })

  test('omits the free disk space where the runtime denies it, as Deno does without --allow-sys', async () => {
    instead.set('statfsSync', () => {
      throw Object.assign(new Error('Requires sys access to "statfs", run again with the --allow-sys flag'), {
        name: 'NotCapable',
      })
    })
    const store = new OpenedStore(nodeStorage(join(folder, 'denied')))
    await store.open(() => undefined)
    expect((await store.stats()).room).toBeUndefined()
    instead.clear()
    await store.close()
  })

  test('is flushed with the names in it before anything is in them, and looked at without', async () => {
    const path = await made()
    const opened: string[] = []
    instead.set('openSync', ((name: string, ...rest: [number]) => {
      opened.push(name)
      return real.openSync(name, ...rest)
    }) as never)
    const store = new OpenedStore(nodeStorage(path))
    await store.open(() => undefined)
    await store.close()
    expect(opened).toContain(path)
    opened.length = 0
    const reader = new OpenedStore(nodeStorage(path, { create: false }))
    await reader.open(() => undefined)
    await reader.close()
    expect(opened).not.toContain(path)
    expect(opened).toHaveLength(3)
  })

  test('of which a file cannot be opened is let go', async () => {
    const path = await made()
    instead.set('openSync', ((name: string, ...rest: [number]) =>
      name.endsWith('index.agidb') ? failure('EMFILE')() : real.openSync(name, ...rest)) as never)
    const store = new OpenedStore(nodeStorage(path))
    await expect(store.open(() => undefined)).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
      details: { code: 'EMFILE' },
    })
    expect(existsSync(join(path, 'lock'))).toBe(false)
    instead.clear()
    expect((await openInto(store)).kept.size).toBe(3)
    await store.close()
  })

  test('is verified and salvaged while nobody has it open', async () => {
    const path = await made()
    const found = async (): Promise<string[]> => {
      const findings = new Findings()
      await verifyFolder(path, { findings, digest: () => '', visit: () => {} })
      return findings.problems.map(({ code }) => code)
    }
    expect(await found()).toEqual([])
    const journal = join(path, 'journal.agidb')
    const bytes = readFileSync(journal)
    bytes[20] ^= 1
    writeFileSync(journal, bytes)
    expect(await found()).toEqual(['journal-header'])
    expect(existsSync(join(path, 'lock'))).toBe(false)
    const salvaged = await salvageFolder(path)
    expect(salvaged).toMatchObject({ rows: 3, kept: [`${journal}.torn-0`] })
    expect(readFileSync(`${journal}.torn-0`)).toEqual(bytes)
    expect(await found()).toEqual([])
    const store = new OpenedStore(nodeStorage(path))
    expect((await openInto(store)).kept.size).toBe(3)
    await expect(
      verifyFolder(path, { findings: new Findings(), digest: () => '', visit: () => {} }),
    ).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    await store.close()
  })
})
