import { OpenedStore } from '../../../src/storage/contract/opened-store.js'
import { Findings } from '../../../src/api/findings.js'
import { journalStorage } from '../../../src/storage/journal/journal-storage.js'
import type { Bounds } from '../../../src/storage/journal/flushing.js'
import type { StorageChange, CheckpointLoader, StoredEpisode, StoredCheckpoint } from '../../../src/api/storage.js'
import { keepIn } from '../../../src/storage/journal/tail.js'
import { applyTo, copyOf, listed, noise, type Kept } from '../../../src/storage/contract/episodes.js'
import { ModelFiles, randomFrom, type Disk, type Random } from './model-fs.js'

/**
 * Runs random workloads on a model of a disk, crashes it at each operation in every way, and looks at what can be
 * opened.
 */

type Model = Map<number, Kept>

/**
 * When commits are flushed: strict, or relaxed within bounds. No time passes in a model, so only bytes and calls are a
 * reason.
 */
export type Mode = 'strict' | 'relaxed'

function boundsOf(mode: Mode): Bounds | undefined {
  return mode === 'relaxed' ? { ms: 2 ** 30, bytes: 600 } : undefined
}

/** A database on a model of a disk. */
export function modelStorage(files: ModelFiles, mode: Mode = 'strict'): OpenedStore {
  const tails = files.file('torn')
  return new OpenedStore(
    journalStorage(
      'the model',
      () => ({
        journals: [files.file('journal'), files.file('journal-2')],
        checkpoint: files.file('index'),
        keep: async (...tail) => `torn at ${await keepIn(tails, ...tail)}`,
        release: () => {},
      }),
      boundsOf(mode),
    ),
  )
}

/** What an engine makes of a database: the image has all of it. */
export class Follower implements CheckpointLoader {
  model: Model = new Map()
  fromImage = false

  visit(episode: StoredEpisode): void {
    this.model.set(episode.slot, copyOf(episode))
  }

  async load(image: StoredCheckpoint): Promise<boolean> {
    const bytes = (await image.parts('index')).get('index.model') as Uint8Array
    const block = new Uint8Array(image.marked('block')!.bytes)
    await image.fill('block', block, 0)
    if (Buffer.compare(block, blockOf(Number(image.marked('block')!.mark))) !== 0)
      throw new Error('a marked block is damaged')
    this.model = new Map(
      JSON.parse(new TextDecoder().decode(bytes), (_, value: unknown) =>
        isBytes(value) ? Uint8Array.from(value.bytes) : value,
      ) as [number, Kept][],
    )
    this.fromImage = true
    return true
  }

  reset(): void {
    this.model.clear()
  }

  change(change: StorageChange): void {
    applyTo(this.model, [change])
  }

  has(slot: number): boolean {
    return this.model.has(slot)
  }
}

function isBytes(value: unknown): value is { bytes: number[] } {
  return typeof value === 'object' && value !== null && 'bytes' in value
}

/** A part with a mark: what is in it follows from the mark. */
function blockOf(number: number): Uint8Array {
  return noise(number + 1, 300)
}

/** The mark of such a part. */
export function markOf(bytes: Uint8Array): string {
  return String(
    Array.from({ length: 100 }, (_, number) => number).find((number) => Buffer.compare(blockOf(number), bytes) === 0),
  )
}

export function keepImage(storage: OpenedStore, model: Model, number: number): Promise<void> {
  const bytes = new TextEncoder().encode(
    JSON.stringify([...model], (_, value: unknown) => (value instanceof Uint8Array ? { bytes: [...value] } : value)),
  )
  return storage.parts.checkpoint!.write([
    { name: 'index.model', array: () => bytes },
    { name: 'block', array: () => blockOf(number), mark: String(number) },
  ])
}

export async function openModel(
  files: ModelFiles,
  mode: Mode = 'strict',
): Promise<{ storage: OpenedStore; follower: Follower; nextSlot: number }> {
  const storage = modelStorage(files, mode)
  const follower = new Follower()
  const { nextSlot } = await storage.open((episode) => follower.visit(episode), follower)
  return { storage, follower, nextSlot }
}

export function shown(model: Model): string {
  return JSON.stringify(listed(model), (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  )
}

/** A random commit that fits a model. */
export function randomCommit(model: Model, nextSlot: number, random: Random): StorageChange[] {
  const staged: Model = new Map(model)
  const changes: StorageChange[] = []
  let next = nextSlot
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    const live = [...staged.keys()]
    const slot = live[Math.floor(random() * live.length)]
    const seed = Math.floor(random() * 2 ** 30)
    const kind = live.length < 3 ? 0 : random()
    const change: StorageChange =
      kind < 0.5
        ? {
            op: 'put',
            slot: next,
            id: `ep_${next++}`,
            row: noise(seed, 10 + (seed % 60)),
            signatures: { text: noise(seed + 1, 16) },
          }
        : kind < 0.65
          ? { op: 'update', slot, id: staged.get(slot)!.id, row: noise(seed, seed % 50) }
          : kind < 0.8
            ? { op: 'setSignatures', slot, id: staged.get(slot)!.id, signatures: { latent: noise(seed, 20) } }
            : { op: 'remove', slot, id: staged.get(slot)!.id }
    changes.push(change)
    applyTo(staged, [change])
  }
  return changes
}

/** What a workload did to the disk, and what must be found after a crash at each moment of it. */
interface Run {
  readonly files: ModelFiles
  /** What the database held after each commit, as {@link shown}. */
  readonly states: readonly string[]
  readonly marks: readonly Mark[]
  /**
   * How many commits a crash of the machine may not take after so many operations, because of a flush of their file.
   */
  readonly flushed: readonly number[]
  /**
   * Rows that were gone when a compaction began, and from which operation on none of their bytes may be on the disk.
   */
  readonly erased: readonly { readonly at: number; readonly rows: readonly Uint8Array[] }[]
}

/**
 * How many commits were begun, were acknowledged, and may not be lost in a crash of the machine, when an operation was
 * logged.
 */
interface Mark {
  readonly at: number
  readonly begun: number
  readonly acknowledged: number
  readonly safe: number
}

async function workload(random: Random, steps: number, mode: Mode): Promise<Run> {
  const files = new ModelFiles()
  const model: Model = new Map()
  const states = [shown(model)]
  const marks: Mark[] = []
  /** Of each commit: the file that it is in, when it was acknowledged. */
  const commits: { file: string | undefined; at: number }[] = []
  let compacting = false
  const erased: { at: number; rows: Uint8Array[] }[] = []
  const gone: Uint8Array[] = []
  let { storage, nextSlot } = await openModel(files, mode)
  let images = 0
  let acknowledged = 0
  let safe = 0
  const mark = (allSafe = mode === 'strict'): void => {
    if (allSafe) safe = acknowledged
    marks.push({ at: files.log.length, begun: states.length - 1, acknowledged, safe })
  }
  mark()
  const commit = async (): Promise<void> => {
    const changes = randomCommit(model, nextSlot, random)
    for (const change of changes) {
      if (change.op === 'put') nextSlot = change.slot + 1
      const before = model.get(change.slot)
      if (before !== undefined && change.op !== 'setSignatures' && before.row.length > 12) gone.push(before.row)
      applyTo(model, [change])
    }
    states.push(shown(model))
    mark()
    await storage.commit(changes)
    acknowledged++
    // While two journals are written, it cannot be told from outside.
    const written = files.log.findLast(
      (operation) => operation.kind === 'write' && operation.file.startsWith('journal'),
    )
    commits.push({ file: compacting ? undefined : written!.file, at: files.log.length })
    mark()
  }
  for (let step = 0; step < steps; step++) {
    const kind = random()
    if (kind < 0.65) await commit()
    else if (kind < 0.7) {
      await storage.flush()
      mark(true)
    } else if (kind < 0.8) await keepImage(storage, model, images++ >> 1)
    else if (kind < 0.9) {
      const rows = gone.splice(0)
      compacting = true
      const compaction = storage.parts.maintenance!.compact()
      const commits = (async () => {
        for (let count = Math.floor(random() * 4); count > 0; count--) await commit()
      })()
      await Promise.all([compaction, commits])
      compacting = false
      erased.push({ at: files.log.length, rows })
    } else {
      // Or the process is killed, and another one opens what it left.
      if (random() < 0.5) await storage.close()
      ;({ storage } = await openModel(files, mode))
      mark(true)
    }
  }
  await storage.close()
  mark(true)
  return { files, states, marks, erased, flushed: flushedAfter(files, commits) }
}

function flushedAfter({ log }: ModelFiles, commits: readonly { file: string | undefined; at: number }[]): number[] {
  const flushed = [0]
  for (const [index, operation] of log.entries()) {
    const among =
      operation.kind === 'flush' ? commits.findLastIndex(({ file, at }) => file === operation.file && at <= index) : -1
    flushed.push(Math.max(flushed[index], among + 1))
  }
  return flushed
}

/** What was looked at. */
export interface Looked {
  states: number
  /** Of these, crashes of a recovery. */
  again: number
  /** Of these, crashes of the machine after the process had been killed and the database opened again. */
  kills: number
  /** States that lack the last acknowledged commits, and most commits that one of them lacks. */
  lacking: number
  mostLacked: number
  /** Openings that used an image. */
  images: number
  operations: number
  workloads: number
}

export function newLooked(): Looked {
  return { states: 0, again: 0, kills: 0, lacking: 0, mostLacked: 0, images: 0, operations: 0, workloads: 0 }
}

const WAYS = ['none', 'all', 'torn', 'random', 'random', 'random'] as const

/**
 * Looks at crash states of one random workload: after each operation, in each way. Throws with the seed where one is
 * not as it must be.
 */
export async function lookAtCrashes(seed: number, looked: Looked, mode: Mode = 'strict', steps = 24): Promise<void> {
  const random = randomFrom(seed)
  const run = await workload(random, steps, mode)
  looked.workloads++
  looked.operations += run.files.log.length
  for (let length = 0; length <= run.files.log.length; length++) {
    const { begun } = run.marks.findLast(({ at }) => at < length) ?? run.marks[0]
    const { acknowledged, safe } = run.marks.findLast(({ at }) => at <= length) ?? run.marks[0]
    // In their order, without a gap: whatever is lost is lost from some commit on.
    const from = (first: number): string[] => run.states.slice(first, Math.max(begun, acknowledged) + 1)
    const kept = from(acknowledged)
    const left = from(Math.max(safe, run.flushed[length]))
    const look = async (how: string, work: () => Promise<unknown>): Promise<void> => {
      try {
        await work()
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        throw new Error(
          `${mode}, seed ${seed}, after operation ${length} of ${run.files.log.length}, ${how}: ${message}`,
          { cause: error },
        )
      }
    }
    for (const how of WAYS) {
      await look(how, async () => {
        const disk = run.files.crash(length, how, random)
        expectErased(run, length, disk)
        const found = await lookAtState(disk, how === 'all' ? kept : left, random, looked, mode, true)
        const lacked = kept.includes(found) ? 0 : acknowledged - run.states.lastIndexOf(found, acknowledged)
        if (lacked > 0) looked.lacking++
        looked.mostLacked = Math.max(looked.mostLacked, lacked)
      })
    }
    await look('killed', () => lookAtKill(run.files.afterKill(length), kept, left, random, looked, mode))
  }
}

/**
 * Opens what a killed process left: nothing that was acknowledged is lost. Then the machine crashes while that is
 * opened, or after the next commit.
 */
async function lookAtKill(
  files: ModelFiles,
  kept: readonly string[],
  left: readonly string[],
  random: Random,
  looked: Looked,
  mode: Mode,
): Promise<void> {
  const killed = files.log.length
  const { storage, follower, nextSlot } = await openModel(files, mode)
  const { model } = follower
  const found = shown(model)
  if (!kept.includes(found)) throw new Error(`found ${found}, not ${kept.join(' or ')}`)
  const opened = files.log.length
  const changes = randomCommit(model, nextSlot, random)
  await storage.commit(changes)
  applyTo(model, changes)
  const length = killed + Math.floor(random() * (files.log.length - killed + 1))
  const isKept = mode === 'strict' && length === files.log.length
  const allowed = [
    ...(length < opened ? left : []),
    ...(isKept ? [] : [found]),
    ...(length > opened ? [shown(model)] : []),
  ]
  looked.kills++
  await lookAtState(
    files.crash(length, WAYS[Math.floor(random() * WAYS.length)], random),
    allowed,
    random,
    looked,
    mode,
    false,
  )
}

/** Opens a disk; what is found must be one of the states, and stay, and it must go on. Answers what was found. */
async function lookAtState(
  disk: Disk,
  allowed: readonly string[],
  random: Random,
  looked: Looked,
  mode: Mode,
  first: boolean,
): Promise<string> {
  looked.states++
  const files = new ModelFiles(disk)
  const { storage, follower, nextSlot } = await openModel(files, mode)
  if (follower.fromImage) looked.images++
  const { model } = follower
  const found = shown(model)
  if (!allowed.includes(found)) throw new Error(`found ${found}, not ${allowed.join(' or ')}`)
  const slots = [...model.keys()]
  const rows = await storage.rows(slots)
  if (rows.some((row, i) => Buffer.compare(row!, model.get(slots[i])!.row) !== 0))
    throw new Error('a row is another when it is read')
  const recovered = files.log.length

  const changes = randomCommit(model, nextSlot, random)
  await storage.commit(changes)
  applyTo(model, changes)
  if (random() < 0.1) await storage.parts.maintenance!.compact()
  if (random() < 0.1) await keepImage(storage, model, 7)
  await storage.close()
  const again = await openModel(files, mode)
  const after = shown(again.follower.model)
  if (after !== shown(model)) throw new Error(`found ${after} when it is opened again, not ${shown(model)}`)
  const { opening } = await again.storage.stats()
  if (opening.length > 0) throw new Error(`opening it again reports ${JSON.stringify(opening)}`)
  if (random() < 0.2) {
    const findings = new Findings()
    await again.storage.parts.maintenance!.verify({ findings, digest: (bytes) => markOf(bytes), visit: () => {} })
    const problems = findings.problems.filter(({ code, harm }) => harm !== 'none' || !code.startsWith('image-'))
    if (problems.length > 0) throw new Error(`verifying it finds ${JSON.stringify(problems)}`)
  }
  await again.storage.close()

  // The recovery is cut short, too.
  if (!first || recovered === 0 || random() > 0.3) return found
  looked.again++
  const length = Math.floor(random() * (recovered + 1))
  await lookAtState(
    files.crash(length, WAYS[Math.floor(random() * WAYS.length)], random),
    [found],
    random,
    looked,
    mode,
    false,
  )
  return found
}

function expectErased({ erased }: Run, length: number, disk: Disk): void {
  for (const { at, rows } of erased) {
    if (length < at) continue
    for (const [name, bytes] of disk) {
      if (name === 'torn') continue
      const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      for (const row of rows)
        if (content.includes(Buffer.from(row))) throw new Error(`a row that was erased is still in ${name}`)
    }
  }
}
