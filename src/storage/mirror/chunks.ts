import { AgidbError } from '../../base/errors.js'
import { misfit } from '../journal/admission.js'
import { encodeChanges, entryChange, entryIsIntact, readEntries, mergeSignatures } from '../journal/changes.js'
import { crc32c } from '../../base/crc32c.js'
import type { StorageChange, StoredEpisode } from '../../api/storage.js'

/**
 * Episodes of neighbouring slots in one record: IndexedDB takes about as long for a record of sixteen as for a record
 * of one. A chunk has what lies between its first slot and that of the next chunk.
 */
export interface Chunk {
  /** The slot that its first episode has, or had: the key. */
  readonly first: number
  /** A number of entries and the entries, each a put, as in the body of a journal's frame. */
  readonly entries: Uint8Array
  /** CRC-32C of all of `entries`, signatures too. Absent in chunks of earlier versions. */
  readonly checksum?: number
}

/** Where chunks are. */
export interface ChunkStore {
  /** The last chunk that begins at a slot or before it; without a slot, the last of all. */
  upTo(slot?: number): Promise<Chunk | undefined>
  put(chunk: Chunk): void
  delete(first: number): void
}

/** Episodes in a chunk, at most, where they came together. */
export const CHUNK_EPISODES = 16
/**
 * Episodes up to which the last chunk gets those that come next: written one by one, they are not to stay one by one.
 */
const SHORT = 8
/** More than any chunk has. */
const LIMIT_BYTES = 1 << 28

/** The episodes of a chunk, ascending; their arrays are views. Throws `AGIDB_CORRUPT`. */
export function episodesOf({ first, entries, checksum }: Chunk): StoredEpisode[] {
  const damaged = (cause?: unknown): AgidbError =>
    new AgidbError('AGIDB_CORRUPT', `what IndexedDB has from slot ${first} on is damaged`, { slot: first }, { cause })
  if (checksum !== undefined && checksum !== crc32c(entries)) throw damaged()
  try {
    return readEntries(entries, 0).map((entry): StoredEpisode => {
      const change = entryChange(entries, entry)
      if (change.op !== 'put' || !entryIsIntact(entries, entry)) throw damaged()
      const { op: _, ...episode } = change
      return episode
    })
  } catch (cause) {
    throw damaged(cause)
  }
}

/** Episodes in ascending order of slot, as chunks. */
export function chunksOf(episodes: readonly StoredEpisode[]): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at < episodes.length; at += CHUNK_EPISODES)
    chunks.push(chunkOf(episodes[at].slot, episodes.slice(at, at + CHUNK_EPISODES)))
  return chunks
}

function chunkOf(first: number, episodes: readonly StoredEpisode[]): Chunk {
  const puts = episodes.map((episode): StorageChange => ({ ...episode, op: 'put' }))
  const entries = encodeChanges(puts, 0, LIMIT_BYTES).body
  return { first, entries, checksum: crc32c(entries) }
}

/**
 * Applies the changes of commits to chunks, those that they concern and no others. Removing what is not there does
 * nothing.
 *
 * @throws AgidbError `AGIDB_INTERNAL` for another change to what is not there; then nothing was put or deleted
 */
export async function applyToChunks(store: ChunkStore, changes: readonly StorageChange[]): Promise<void> {
  const live = new Map<number, StoredEpisode>()
  const groups = await groupsOf(store, changes, (episode) => live.set(episode.slot, episode))
  for (const change of changes) apply(live, change)
  for (const { first, slots } of groups) {
    const kept = [...slots].sort((a, b) => a - b).flatMap((slot) => live.get(slot) ?? [])
    const [head, ...rest] = chunksOf(kept)
    if (head) store.put({ ...head, first: first ?? head.first })
    else if (first !== undefined) store.delete(first)
    for (const chunk of rest) store.put(chunk)
  }
}

/** Slots that are to be in one chunk, or in several that follow upon each other. */
interface Group {
  /** Of the chunk that there is for them. */
  readonly first: number | undefined
  readonly slots: Set<number>
}

/** All slots that changes concern, with those that are in the same chunks, of which `found` gets the episodes. */
async function groupsOf(
  store: ChunkStore,
  changes: readonly StorageChange[],
  found: (episode: StoredEpisode) => void,
): Promise<Iterable<Group>> {
  const groups = new Map<number | 'before' | 'after', Group>()
  const group = (key: number | 'before' | 'after', episodes: readonly StoredEpisode[] = []): Group => {
    const known = groups.get(key)
    if (known) return known
    for (const episode of episodes) found(episode)
    const made = { first: typeof key === 'number' ? key : undefined, slots: new Set(episodes.map(({ slot }) => slot)) }
    groups.set(key, made)
    return made
  }
  const last = await store.upTo()
  const lastEpisodes = last ? episodesOf(last) : []
  // A chunk is never empty, so the last one has the highest slot of all.
  const end = (lastEpisodes.at(-1)?.slot ?? -1) + 1
  for (const slot of [...new Set(changes.map(({ slot }) => slot))].sort((a, b) => a - b)) {
    if (slot < end) {
      const chunk = await store.upTo(slot)
      const episodes = chunk && !groups.has(chunk.first) ? episodesOf(chunk) : []
      group(chunk?.first ?? 'before', episodes).slots.add(slot)
    } else if (last && lastEpisodes.length < SHORT) group(last.first, lastEpisodes).slots.add(slot)
    else group('after').slots.add(slot)
  }
  return groups.values()
}

function apply(live: Map<number, StoredEpisode>, change: StorageChange): void {
  const { op, slot, id } = change
  if (op === 'remove') return void live.delete(slot)
  if (op === 'put')
    return void live.set(slot, { slot, id, row: change.row, signatures: change.signatures, encoder: change.encoder })
  const before = live.get(slot)
  if (before === undefined) throw misfit(op, slot, 'not live')
  live.set(slot, op === 'update' ? { ...before, row: change.row } : { ...before, ...mergeSignatures(before, change) })
}
