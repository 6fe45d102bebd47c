/**
 * What the checksum of signatures costs a journal in a folder: `npx tsx bench/checksums.ts`. Writes, opens and reads
 * the same episodes with and without it, in turns, and prints the medians and their ratio. Nothing is encoded: beside
 * that the difference is smaller still.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newHeader } from '../src/storage/journal/frame.js'
import { Journal } from '../src/storage/journal/journal.js'
import { readJournalHeader, writeHeader } from '../src/storage/journal/journal-header.js'
import { openNodeFile } from '../src/storage/adapters/node/file.js'
import type { StorageChange } from '../src/api/storage.js'

const COMMITS = 80
const EPISODES = 256
const ROUNDS = 9
const SIGNATURE_BYTES = 1024

const filled = (bytes: number): Uint8Array => Uint8Array.from({ length: bytes }, (_, i) => (i * 2_654_435_761) >>> 11)
const [row, text, latent] = [filled(250), filled(SIGNATURE_BYTES), filled(SIGNATURE_BYTES + 8)]
const commits = Array.from({ length: COMMITS }, (_, commit) =>
  Array.from({ length: EPISODES }, (_, i): StorageChange => {
    const slot = commit * EPISODES + i
    return { op: 'put', slot, id: `episode ${slot}`, row, signatures: { text, latent }, encoder: 1 }
  }),
)

const folder = mkdtempSync(join(tmpdir(), 'agidb-checksums-'))
const STEPS = ['write', 'open', 'read'] as const
const noTimes = (): Record<(typeof STEPS)[number], number[]> => ({ write: [], open: [], read: [] })
const times = { true: noTimes(), false: noTimes() }

async function round(checked: boolean, number: number): Promise<void> {
  const file = openNodeFile(join(folder, `${checked} ${number}`))
  const took = times[`${checked}`]
  await writeHeader(file, { ...newHeader(1), checked, relaxed: true })
  const open = async (): Promise<Journal> =>
    Journal.open(
      file,
      (await readJournalHeader(file))!,
      async () => '',
      () => {},
    )
  let journal = await open()
  let began = performance.now()
  for (const commit of commits) await journal.append(commit, true)
  took.write.push(performance.now() - began)
  await journal.flush()
  began = performance.now()
  journal = await open()
  took.open.push(performance.now() - began)
  began = performance.now()
  await journal.visit(() => {})
  took.read.push(performance.now() - began)
  await file.close()
  rmSync(join(folder, `${checked} ${number}`))
}

try {
  for (let number = 0; number < ROUNDS; number++) {
    for (const checked of number % 2 === 0 ? [true, false] : [false, true]) await round(checked, number)
  }
} finally {
  rmSync(folder, { recursive: true })
}
const median = (of: number[]): number => [...of].sort((a, b) => a - b)[of.length >> 1]
for (const step of STEPS) {
  const [withIt, without] = [median(times.true[step]), median(times.false[step])]
  const each = (ms: number): string => `${((ms * 1000) / (COMMITS * EPISODES)).toFixed(2)} µs`
  const ratio = (withIt / without).toFixed(2)
  console.log(`${step.padEnd(5)} ${each(without)} an episode without, ${each(withIt)} with checksums: ${ratio} times`)
}
