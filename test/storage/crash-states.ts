import { Findings } from '../../src/core/findings.js'
import { blockStorage } from '../../src/storage/block-storage.js'
import type { Change, ImageUse, Storage, StoredEpisode, StoredImage } from '../../src/storage/port.js'
import { keepIn } from '../../src/storage/tail.js'
import { applyTo, copyOf, listed, noise, type Kept } from '../contract/episodes.js'
import { ModelFiles, randomFrom, type Disk, type Random } from './model-fs.js'

/** Runs random workloads on a model of a disk, crashes it at each operation in every way, and looks at what can be opened. */

type Model = Map<number, Kept>

/** A database on a model of a disk. */
export function modelStorage(files: ModelFiles): Storage {
  const tails = files.file('torn')
  return blockStorage('the model', () => ({
    journals: [files.file('journal'), files.file('journal-2')],
    image: files.file('index'),
    keep: async (...tail) => `torn at ${await keepIn(tails, ...tail)}`,
    release: () => {},
  }))
}

/** What an engine makes of a database: the image has all of it. */
export class Follower implements ImageUse {
  model: Model = new Map()
  fromImage = false

  visit(episode: StoredEpisode): void {
    this.model.set(episode.slot, copyOf(episode))
  }

  async load(image: StoredImage): Promise<boolean> {
    const bytes = (await image.parts('index')).get('index.model') as Uint8Array
    const block = new Uint8Array(image.marked('block')!.bytes)
    await image.fill('block', block, 0)
    if (Buffer.compare(block, blockOf(Number(image.marked('block')!.mark))) !== 0) throw new Error('a marked block is damaged')
    this.model = new Map(JSON.parse(new TextDecoder().decode(bytes), (_, value: unknown) => (isBytes(value) ? Uint8Array.from(value.bytes) : value)) as [number, Kept][])
    this.fromImage = true
    return true
  }

  reset(): void {
    this.model.clear()
  }

  change(change: Change): void {
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
  return String(Array.from({ length: 100 }, (_, number) => number).find((number) => Buffer.compare(blockOf(number), bytes) === 0))
}

export function keepImage(storage: Storage, model: Model, number: number): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify([...model], (_, value: unknown) => (value instanceof Uint8Array ? { bytes: [...value] } : value)))
  return storage.keep!([
    { name: 'index.model', array: () => bytes },
    { name: 'block', array: () => blockOf(number), mark: String(number) },
  ])
}

export async function openModel(files: ModelFiles): Promise<{ storage: Storage; follower: Follower; nextSlot: number }> {
  const storage = modelStorage(files)
  const follower = new Follower()
  const { nextSlot } = await storage.open((episode) => follower.visit(episode), follower)
  return { storage, follower, nextSlot }
}

export function shown(model: Model): string {
  return JSON.stringify(listed(model), (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value))
}

/** A random commit that fits a model. */
export function randomCommit(model: Model, nextSlot: number, random: Random): Change[] {
  const staged: Model = new Map(model)
  const changes: Change[] = []
  let next = nextSlot
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    const live = [...staged.keys()]
    const slot = live[Math.floor(random() * live.length)]
    const seed = Math.floor(random() * 2 ** 30)
    const kind = live.length < 3 ? 0 : random()
    const change: Change =
      kind < 0.5
        ? { op: 'put', slot: next, id: `ep_${next++}`, row: noise(seed, 10 + (seed % 60)), signatures: { text: noise(seed + 1, 16) } }
        : kind < 0.65
          ? { op: 'update', slot, id: staged.get(slot)!.id, row: noise(seed, seed % 50) }
          : kind < 0.8
            ? { op: 'sign', slot, id: staged.get(slot)!.id, signatures: { latent: noise(seed, 20) } }
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
  /** How many commits were begun and how many acknowledged when an operation was logged. */
  readonly marks: readonly { readonly at: number; readonly begun: number; readonly acknowledged: number }[]
  /** Rows that were gone when a compaction began, and from which operation on none of their bytes may be on the disk. */
  readonly erased: readonly { readonly at: number; readonly rows: readonly Uint8Array[] }[]
}

async function workload(random: Random, steps: number): Promise<Run> {
  const files = new ModelFiles()
  const model: Model = new Map()
  const states = [shown(model)]
  const marks = [{ at: 0, begun: 0, acknowledged: 0 }]
  const erased: { at: number; rows: Uint8Array[] }[] = []
  const gone: Uint8Array[] = []
  let { storage, nextSlot } = await openModel(files)
  let images = 0
  let acknowledged = 0
  const commit = async (): Promise<void> => {
    const changes = randomCommit(model, nextSlot, random)
    for (const change of changes) {
      if (change.op === 'put') nextSlot = change.slot + 1
      const before = model.get(change.slot)
      if (before !== undefined && change.op !== 'sign' && before.row.length > 12) gone.push(before.row)
      applyTo(model, [change])
    }
    states.push(shown(model))
    marks.push({ at: files.log.length, begun: states.length - 1, acknowledged })
    await storage.commit(changes)
    acknowledged++
    marks.push({ at: files.log.length, begun: states.length - 1, acknowledged })
  }
  for (let step = 0; step < steps; step++) {
    const kind = random()
    if (kind < 0.7) await commit()
    else if (kind < 0.8) await keepImage(storage, model, images++ >> 1)
    else if (kind < 0.9) {
      const rows = gone.splice(0)
      const compacting = storage.compact!()
      const commits = (async () => {
        for (let count = Math.floor(random() * 4); count > 0; count--) await commit()
      })()
      await Promise.all([compacting, commits])
      erased.push({ at: files.log.length, rows })
    } else {
      await storage.close()
      ;({ storage } = await openModel(files))
    }
  }
  await storage.close()
  return { files, states, marks, erased }
}

/** What was looked at. */
export interface Looked {
  states: number
  /** Of these, crashes of a recovery. */
  again: number
  /** Openings that used an image. */
  images: number
  operations: number
  workloads: number
}

const WAYS = ['none', 'all', 'torn', 'random', 'random', 'random'] as const

/**
 * Looks at crash states of one random workload: after each operation, in each way. Throws with the seed where one is not
 * as it must be.
 */
export async function lookAtCrashes(seed: number, looked: Looked, steps = 24): Promise<void> {
  const random = randomFrom(seed)
  const run = await workload(random, steps)
  looked.workloads++
  looked.operations += run.files.log.length
  for (let length = 0; length <= run.files.log.length; length++) {
    const { begun } = run.marks.findLast(({ at }) => at < length) ?? run.marks[0]
    const { acknowledged } = run.marks.findLast(({ at }) => at <= length)!
    const allowed = run.states.slice(acknowledged, Math.max(begun, acknowledged) + 1)
    for (const how of WAYS) {
      const disk = run.files.crash(length, how, random)
      try {
        expectErased(run, length, disk)
        await lookAtState(disk, allowed, random, looked, true)
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        throw new Error(`seed ${seed}, after operation ${length} of ${run.files.log.length}, ${how}: ${message}`, { cause: error })
      }
    }
  }
}

/** Opens a disk; what is found must be one of the states, and stay, and it must go on. */
async function lookAtState(disk: Disk, allowed: readonly string[], random: Random, looked: Looked, first: boolean): Promise<void> {
  looked.states++
  const files = new ModelFiles(disk)
  const { storage, follower, nextSlot } = await openModel(files)
  if (follower.fromImage) looked.images++
  const { model } = follower
  const found = shown(model)
  if (!allowed.includes(found)) throw new Error(`found ${found}, not ${allowed.join(' or ')}`)
  const slots = [...model.keys()]
  const rows = await storage.rows(slots)
  if (rows.some((row, i) => Buffer.compare(row!, model.get(slots[i])!.row) !== 0)) throw new Error('a row is another when it is read')
  const recovered = files.log.length

  const changes = randomCommit(model, nextSlot, random)
  await storage.commit(changes)
  applyTo(model, changes)
  if (random() < 0.1) await storage.compact!()
  if (random() < 0.1) await keepImage(storage, model, 7)
  await storage.close()
  const again = await openModel(files)
  const after = shown(again.follower.model)
  if (after !== shown(model)) throw new Error(`found ${after} when it is opened again, not ${shown(model)}`)
  const { opening } = await again.storage.stats()
  if (opening.length > 0) throw new Error(`opening it again reports ${JSON.stringify(opening)}`)
  if (random() < 0.2) {
    const findings = new Findings()
    await again.storage.verify!({ findings, digest: (bytes) => markOf(bytes), visit: () => {} })
    const problems = findings.problems.filter(({ code, harm }) => harm !== 'none' || !code.startsWith('image-'))
    if (problems.length > 0) throw new Error(`verifying it finds ${JSON.stringify(problems)}`)
  }
  await again.storage.close()

  // The recovery is cut short, too.
  if (!first || recovered === 0 || random() > 0.3) return
  looked.again++
  const length = Math.floor(random() * (recovered + 1))
  await lookAtState(files.crash(length, WAYS[Math.floor(random() * WAYS.length)], random), [found], random, looked, false)
}

function expectErased({ erased }: Run, length: number, disk: Disk): void {
  for (const { at, rows } of erased) {
    if (length < at) continue
    for (const [name, bytes] of disk) {
      if (name === 'torn') continue
      const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      for (const row of rows) if (content.includes(Buffer.from(row))) throw new Error(`a row that was erased is still in ${name}`)
    }
  }
}
