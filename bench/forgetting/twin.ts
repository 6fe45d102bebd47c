import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Hit, Item, Store, Subject } from './store.js'

/** Answers of one length, as they are compared. */
const K = 10

/** What is asked, and what is deleted before. */
export interface Trial {
  readonly kept: readonly Item[]
  /** They come between the kept ones, as they were said. */
  readonly deleted: readonly Item[]
  readonly all: readonly Item[]
  readonly cues: readonly string[]
}

/** What a deletion left. */
export interface Outcome {
  /** Answers that name a deleted text, of the twin's questions. */
  readonly found: number
  /** Answers with other texts, or in another order, than those of a store that never had the deleted ones. */
  readonly otherOrder: number
  /** Answers with the same texts and a score that is another by more than rounding. */
  readonly otherScores: number
  /** Answers in which a second twin, which never had the deleted texts either, differs from the first. */
  readonly twins: number
  /** Deleted texts whose words stand in what is stored; absent where nothing is stored. */
  readonly remaining?: number
  /** The same before they were deleted: that the search for them finds them. */
  readonly before?: number
}

/** Compares a store that had some texts and deleted them with one that never had them. */
export async function compareWithTwin(subject: Subject, { kept, deleted, all, cues }: Trial): Promise<Outcome> {
  const gone = new Set(deleted.map(({ id }) => id))
  const twin = await answersOf(subject, kept, [], cues)
  const second = await answersOf(subject, kept, [], cues)
  const before = await answersOf(subject, all, [], [])
  const after = await answersOf(subject, all, deleted, cues)
  let [found, otherOrder, otherScores] = [0, 0, 0]
  after.answers.forEach((hits, i) => {
    const same = twin.answers[i]
    if (hits.some(({ id }) => gone.has(id))) found++
    if (!isDeepStrictEqual(ids(hits), ids(same))) otherOrder++
    else if (hits.some(({ score }, j) => isOther(score, same[j].score))) otherScores++
  })
  const twins = second.answers.filter((hits, i) => !isDeepStrictEqual(ids(hits), ids(twin.answers[i]))).length
  const markers = markersOf(deleted, kept)
  return {
    found,
    otherOrder,
    otherScores,
    twins,
    ...(before.stored.length > 0 && {
      remaining: standing(markers, after.stored),
      before: standing(markers, before.stored),
    }),
  }
}

async function answersOf(subject: Subject, items: readonly Item[], deleted: readonly Item[], cues: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'agidb-forgetting-'))
  try {
    const store: Store = await subject.open(folder)
    await store.add(items)
    if (deleted.length > 0) await store.delete(deleted)
    const answers: Hit[][] = []
    for (const cue of cues) answers.push((await store.search(cue, K)).map(({ id, score }) => ({ id, score })))
    return { answers, stored: await store.stored() }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function ids(hits: readonly Hit[]): string[] {
  return hits.map(({ id }) => id)
}

/** Whether two scores differ by more than rounding. */
function isOther(score: number, same: number): boolean {
  return Math.abs(score - same) > 1e-9 * Math.max(Math.abs(score), Math.abs(same))
}

/** The first 24 characters of deleted texts, where no kept text has them. */
function markersOf(deleted: readonly Item[], kept: readonly Item[]): string[] {
  const others = kept.map(({ text }) => text).join('\n')
  return deleted.map(({ text }) => text.slice(0, 24)).filter((marker) => !others.includes(marker))
}

/** How many markers stand in one of the files, in UTF-8. */
function standing(markers: readonly string[], files: readonly Uint8Array[]): number {
  const buffers = files.map((file) => Buffer.from(file.buffer, file.byteOffset, file.length))
  return markers.filter((marker) => buffers.some((buffer) => buffer.includes(marker))).length
}
