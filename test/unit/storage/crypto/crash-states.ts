import type { StorageAdapter, StorageChange } from '../../../../src/api/storage.js'
import { applyTo, type Kept } from '../../../../src/storage/contract/episodes.js'
import { OpenedStore } from '../../../../src/storage/contract/opened-store.js'
import { AgidbError } from '../../../../src/base/errors.js'
import { KeyRing } from '../../../../src/storage/crypto/key-ring.js'
import { Sealer } from '../../../../src/storage/crypto/sealer.js'
import { isSealed } from '../../../../src/storage/crypto/sealed.js'
import { journalStorage } from '../../../../src/storage/journal/journal-storage.js'
import { keepIn } from '../../../../src/storage/journal/tail.js'
import { wasm } from '../../kernel/kernels.js'
import { altered } from '../altered-adapter.js'
import { Follower, keepImage, randomCommit, shown } from '../crash-states.js'
import { MemoryFile } from '../memory-file.js'
import { type Disk, ModelFiles, type Random, randomFrom } from '../model-fs.js'
import { encryptedStorage } from './places.js'

/**
 * Runs random workloads with erasures on an encrypted storage on a model of a disk, crashes it at each operation in
 * every way, and looks at what can be opened, and at what can be read of what was erased with any key that is left.
 */

type Model = Map<number, Kept>

/** Bytes that belong to a copy of the ring in turns. */
const PIECE = 16_384
const WAYS = ['none', 'all', 'torn', 'random', 'random', 'random'] as const

/** The units of a row follow from its first byte: one of four, or two. */
function unitsOf(row: Uint8Array): readonly string[] {
  const byte = row[0] ?? 0
  const first = `unit ${byte & 3}`
  return (byte & 0x40) === 0 ? [first] : [first, `unit ${(byte >> 2) & 3}`]
}

/** Every encrypted text that was ever written for a slot, whatever became of it. */
type Written = Map<number, Uint8Array[]>

function adapterOn(files: ModelFiles, written?: Written): StorageAdapter {
  const tails = files.file('torn')
  const journals = journalStorage('the model', () => ({
    journals: [files.file('journal'), files.file('journal-2')],
    checkpoint: files.file('index'),
    keys: files.file('keys'),
    keep: async (...tail) => `torn at ${await keepIn(tails, ...tail)}`,
    release: () => {},
  }))
  const setup = { cipher: wasm, unitsOf, encryption: 'keys-beside' } as const
  return encryptedStorage(written === undefined ? journals : recording(journals, written), setup)
}

function recording(adapter: StorageAdapter, written: Written): StorageAdapter {
  return altered(adapter, ({ rows }) => ({
    rows: {
      ...rows,
      commit(changes) {
        for (const change of changes) record(written, change)
        return rows.commit(changes)
      },
    },
  }))
}

function record(written: Written, change: StorageChange): void {
  const texts = [
    ...('row' in change ? [change.row] : []),
    ...('signatures' in change ? Object.values(change.signatures) : []),
  ]
  const before = written.get(change.slot) ?? []
  written.set(change.slot, [...before, ...texts.filter((text) => text !== undefined).map((text) => text.slice())])
}

async function openModel(files: ModelFiles, written?: Written) {
  const storage = new OpenedStore(adapterOn(files, written))
  const follower = new Follower()
  const { nextSlot } = await storage.open((episode) => follower.visit(episode), follower)
  return { storage, follower, nextSlot }
}

/** Rows that were erased, with all that was ever written of them. */
interface Erased {
  /** The number of the commit that removed them. */
  readonly commit: number
  /** After so many operations it was known that they are to go; after so many, that they are gone. */
  readonly retired: number
  readonly gone: number
  readonly texts: readonly Uint8Array[]
}

interface Run {
  readonly files: ModelFiles
  /** What the storage held after each commit. */
  readonly states: readonly string[]
  /** How many commits were begun and acknowledged when an operation was logged. */
  readonly marks: readonly { readonly at: number; readonly begun: number; readonly acknowledged: number }[]
  readonly erased: readonly Erased[]
}

async function workload(random: Random, steps: number): Promise<Run> {
  const files = new ModelFiles()
  const written: Written = new Map()
  const model: Model = new Map()
  const states = [shown(model)]
  const marks = [{ at: 0, begun: 0, acknowledged: 0 }]
  const erased: Erased[] = []
  let { storage, nextSlot } = await openModel(files, written)
  const mark = (acknowledged: number) => marks.push({ at: files.log.length, begun: states.length - 1, acknowledged })
  mark(0)
  const commit = async (changes: readonly StorageChange[]): Promise<void> => {
    for (const change of changes) if (change.op === 'put') nextSlot = change.slot + 1
    applyTo(model, changes)
    states.push(shown(model))
    mark(states.length - 2)
    await storage.commit(changes)
    mark(states.length - 1)
  }
  for (let step = 0; step < steps; step++) {
    const kind = random()
    if (kind < 0.5 || model.size < 2) await commit(randomCommit(model, nextSlot, random))
    else if (kind < 0.6) await keepImage(storage, model, step)
    else if (kind < 0.8) {
      const slots = [...model.keys()].filter(() => random() < 0.3)
      const { retire, erase } = storage.parts.erasure!
      await retire(slots)
      const retired = files.log.length
      await commit(slots.map((slot) => ({ op: 'remove', slot, id: model.get(slot)!.id })))
      const texts = slots.flatMap((slot) => written.get(slot)!)
      await erase()
      erased.push({ commit: states.length - 1, retired, gone: files.log.length, texts })
    } else if (kind < 0.88) await storage.parts.maintenance!.compact()
    else {
      // Or the process is killed, and another one opens what it left.
      if (random() < 0.5) await storage.close()
      ;({ storage } = await openModel(files, written))
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
  /** Texts of erased rows that were tried with all keys that were left. */
  tried: number
  /** Of these, how many were readable where they still may be: before their erasure. */
  readable: number
  workloads: number
}

export function newLooked(): Looked {
  return { states: 0, again: 0, tried: 0, readable: 0, workloads: 0 }
}

/**
 * Looks at the crash states of one random workload: after each operation, in each way. Throws with the seed where a
 * commit is there in part, one that was acknowledged is not there, or something erased can be read.
 */
export async function lookAtCrashes(seed: number, looked: Looked, steps = 24): Promise<void> {
  const random = randomFrom(seed)
  const run = await workload(random, steps)
  looked.workloads++
  for (let length = 0; length <= run.files.log.length; length++) {
    const { begun } = run.marks.findLast(({ at }) => at < length) ?? run.marks[0]
    const { acknowledged } = run.marks.findLast(({ at }) => at <= length) ?? run.marks[0]
    const allowed = run.states.slice(acknowledged, Math.max(begun, acknowledged) + 1)
    for (const how of WAYS) {
      try {
        const disk = run.files.crash(length, how, random)
        await lookAtState(run, length, disk, allowed, random, looked)
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        const where = `seed ${seed}, after operation ${length} of ${run.files.log.length}, ${how}`
        throw new Error(`${where}: ${message}`, { cause: error })
      }
    }
  }
}

async function lookAtState(
  run: Run,
  length: number,
  disk: Disk,
  allowed: readonly string[],
  random: Random,
  looked: Looked,
  first = true,
): Promise<void> {
  looked.states++
  // What is erased stays so before anything has opened the disk.
  for (const { texts, gone } of run.erased) {
    const readable = await readableOf(texts, disk)
    looked.tried += texts.length
    if (length < gone) looked.readable += readable
    else if (readable > 0) throw new Error(`${readable} erased texts can be read before the storage is opened`)
  }
  const files = new ModelFiles(disk)
  const { storage, follower, nextSlot } = await openModel(files)
  const { model } = follower
  const found = shown(model)
  if (!allowed.includes(found)) throw new Error(`found ${found}, not ${allowed.join(' or ')}`)
  // Opening has finished what the crash cut short.
  const commits = run.states.lastIndexOf(found)
  for (const { texts, retired, commit } of run.erased) {
    if (length < retired || commits < commit) continue
    const readable = await readableOf(texts, files.disk())
    if (readable > 0) throw new Error(`${readable} erased texts can be read after the storage was opened`)
  }
  const recovered = files.log.length
  const changes = randomCommit(model, nextSlot, random)
  await storage.commit(changes)
  applyTo(model, changes)
  if (random() < 0.1) await storage.parts.maintenance!.compact()
  await storage.close()
  const again = await openModel(files)
  const after = shown(again.follower.model)
  if (after !== shown(model)) throw new Error(`found ${after} when it is opened again, not ${shown(model)}`)
  const { opening } = await again.storage.stats()
  if (opening.length > 0) throw new Error(`opening it again reports ${JSON.stringify(opening)}`)
  await again.storage.close()
  // The recovery is cut short, too.
  if (!first || recovered === 0 || random() > 0.3) return
  looked.again++
  const cut = files.crash(Math.floor(random() * (recovered + 1)), WAYS[Math.floor(random() * WAYS.length)], random)
  await lookAtState(run, length, cut, [found], random, looked, false)
}

/** How many of the texts can be read with a key of any copy of the ring that is on a disk. */
async function readableOf(texts: readonly Uint8Array[], disk: Disk): Promise<number> {
  const sealers = (await ringsOn(disk)).map((ring) => new Sealer(ring, wasm))
  return texts.filter((text) => isSealed(text) && sealers.some((sealer) => opens(sealer, text))).length
}

function opens(sealer: Sealer, text: Uint8Array): boolean {
  return ['row', 'text', 'latent'].some((kind) => {
    try {
      return sealer.unseal(kind, text) !== 'erased'
    } catch (error) {
      if (error instanceof AgidbError && error.code === 'AGIDB_CORRUPT') return false
      throw error
    }
  })
}

/** The rings of both copies, as far as they can be read. */
async function ringsOn(disk: Disk): Promise<KeyRing[]> {
  const rings: KeyRing[] = []
  for (const hidden of [0, 1]) {
    const bytes = disk.get('keys')?.slice() ?? new Uint8Array(0)
    for (let at = hidden * PIECE; at < bytes.length; at += 2 * PIECE) bytes.fill(0, at, at + PIECE)
    const ring = await KeyRing.open(new MemoryFile(bytes), undefined, wasm).catch(() => undefined)
    if (ring !== undefined) rings.push(ring)
  }
  return rings
}
