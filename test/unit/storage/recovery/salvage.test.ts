import { describe, expect, test } from 'vitest'
import { Findings } from '../../../../src/api/findings.js'
import { checkFiles } from '../../../../src/storage/recovery/check.js'
import { crc32c } from '../../../../src/base/crc32c.js'
import { encodeFrame, encodeHeader, encodeSeal, type JournalHeader } from '../../../../src/storage/journal/frame.js'
import { CheckpointFile } from '../../../../src/storage/checkpoint/checkpoint-file.js'
import { Journal } from '../../../../src/storage/journal/journal.js'
import { currentOf, inspectJournals } from '../../../../src/storage/journal/journal-pair.js'
import type { StorageChange, StoredEpisode } from '../../../../src/api/storage.js'
import { originOf, recover, salvage, type Salvaged } from '../../../../src/storage/recovery/salvage.js'
import { copyOf, listed, modelOf, noise, sign, type Kept } from '../../../../src/storage/contract/episodes.js'
import { largestAllocation } from '../../../fuzz/allocations.js'
import { MemoryFile } from '../memory-file.js'

const HEADER: JournalHeader = {
  version: 2,
  databaseId: '00112233445566778899aabbccddeeff',
  createdAt: 5,
  baseLsn: 10,
  nextSlot: 0,
  epoch: 1,
}
const put = (slot: number, seed = slot): StorageChange => ({
  op: 'put',
  slot,
  id: `ep_${slot}`,
  row: noise(seed + 1, 30),
  signatures: { text: noise(seed + 2, 16) },
})
const update = (slot: number, seed: number): StorageChange => ({
  op: 'update',
  slot,
  id: `ep_${slot}`,
  row: noise(seed, 25),
})
const remove = (slot: number): StorageChange => ({ op: 'remove', slot, id: `ep_${slot}` })
/** Without what was signed. */
const bare = ({ id, row }: Kept): Kept => ({ id, row })

/** A journal of these commits, and where each begins; the last number is where it ends. */
function journalOf(commits: readonly StorageChange[][], header = HEADER): { bytes: Uint8Array; starts: number[] } {
  const frames = commits.map((commit, i) => encodeFrame(header, header.baseLsn + 1 + i, commit).bytes)
  const head = encodeHeader(header)
  const starts = frames.reduce((at, frame) => [...at, at[at.length - 1] + frame.length], [head.length])
  return { bytes: new Uint8Array(Buffer.concat([head, ...frames])), starts }
}

const flip = (bytes: Uint8Array, at: number): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes).with(at, bytes[at] ^ 1)

/** A frame with a right checksum that says that it has nine entries, and has none. */
function nonsenseFrame(lsn: number): Uint8Array {
  const frame = encodeFrame(HEADER, lsn, []).bytes
  const nonsense = new Uint8Array([...frame.subarray(0, 32), 9, 0, 0, 0, 1])
  const view = new DataView(nonsense.buffer)
  view.setUint32(8, 5, true)
  view.setUint32(4, crc32c(nonsense, 8), true)
  return nonsense
}

interface Outcome {
  readonly found: Salvaged | undefined
  readonly kept: [file: string, offset: number, bytes: number][]
  readonly files: [MemoryFile, MemoryFile]
  readonly rows: Map<number, Kept>
  readonly journal?: Journal
}

async function salvaged(
  first: Uint8Array,
  second: Uint8Array = new Uint8Array(0),
  databaseId?: string,
): Promise<Outcome> {
  const files: [MemoryFile, MemoryFile] = [new MemoryFile(first), new MemoryFile(second)]
  const kept: Outcome['kept'] = []
  const found = await salvage(
    files,
    async (file, offset, bytes) => {
      kept.push([file === files[0] ? 'first' : 'second', offset, bytes])
      return `kept ${kept.length}`
    },
    databaseId,
  )
  const rows = new Map<number, Kept>()
  if (found === undefined) return { found, kept, files, rows }
  const { file, header } = currentOf(await inspectJournals(files))
  const journal = await Journal.open(
    file,
    header!,
    async () => '',
    () => {},
  )
  await journal.visit((episode) => rows.set(episode.slot, copyOf(episode)))
  return { found, kept, files, rows, journal }
}

describe('the salvage of a journal', () => {
  const commits = [
    [put(0), put(1), put(2)],
    [update(0, 50), remove(2), sign(1, { latent: noise(9, 20) })],
    [put(3), put(4)],
  ]
  const { bytes, starts } = journalOf(commits)

  test('copies everything of an intact journal into the other file', async () => {
    const { found, kept, files, rows, journal } = await salvaged(bytes)
    expect(found).toEqual({
      databaseId: HEADER.databaseId,
      rows: 4,
      unsigned: 0,
      orphans: 0,
      damages: 0,
      kept: ['kept 1'],
    })
    expect(kept).toEqual([['first', 0, bytes.length]])
    expect(listed(rows)).toEqual(listed(modelOf(...commits)))
    expect(journal!.header).toMatchObject({
      version: 3,
      databaseId: HEADER.databaseId,
      createdAt: 5,
      baseLsn: 13,
      nextSlot: 5,
      epoch: 2,
      seal: { of: 13 },
    })
    expect(files[0].size()).toBe(128)
    expect((await inspectJournals(files)).sides[0]).toMatchObject({ incomplete: { databaseId: HEADER.databaseId } })
  })

  test('finds nothing in a file without a frame', async () => {
    expect(await salvaged(new Uint8Array(0))).toMatchObject({ found: undefined, kept: [] })
    const { found, files } = await salvaged(flip(encodeHeader(HEADER), 20))
    expect([found, files[0].size(), files[1].size()]).toEqual([undefined, 64, 0])
  })

  test('recovers every other row of a commit with a damaged row; an update restores that one', async () => {
    const { found, rows } = await salvaged(flip(bytes, starts[0] + 32 + 4 + 20 + 3))
    expect(found).toMatchObject({ rows: 4, unsigned: 1, orphans: 0, damages: 1 })
    const model = modelOf(...commits)
    // The update of the lost row makes it again.
    expect(rows.get(0)).toMatchObject(bare(model.get(0)!))
    expect(rows.get(0)).not.toHaveProperty('text')
    expect(rows.get(1)).toMatchObject({ ...bare(model.get(1)!), latent: noise(9, 20) })
    expect([...rows.keys()]).toEqual([0, 1, 3, 4])
  })

  test('recovers the commits beside a lost one, and counts signatures of lost episodes', async () => {
    const { found, rows } = await salvaged(Uint8Array.from(bytes).fill(0, starts[0], starts[1]))
    expect(found).toMatchObject({ rows: 3, unsigned: 1, orphans: 1, damages: 1 })
    expect([...rows.keys()]).toEqual([0, 3, 4])
    const without = await salvaged(Uint8Array.from(bytes).fill(0, starts[1], starts[2]))
    expect(without.found).toMatchObject({ rows: 5, unsigned: 0, orphans: 0, damages: 1 })
    expect(listed(without.rows)).toEqual(listed(modelOf(commits[0], commits[2])))
  })

  test('recovers all rows of a commit whose header is damaged, wherever the damage is', async () => {
    for (let at = 0; at < 36; at++) {
      const { found, rows } = await salvaged(flip(bytes, starts[0] + at))
      expect(found, `byte ${at}`).toMatchObject({ rows: 4, unsigned: 0, orphans: 0, damages: 1 })
      expect(
        [...rows].map(([slot, row]) => [slot, bare(row)]),
        `byte ${at}`,
      ).toEqual([...modelOf(...commits)].map(([slot, row]) => [slot, bare(row)]))
    }
  })

  test('takes no row from a frame of another journal that lies inside a damaged commit', async () => {
    const foreign = encodeFrame({ ...HEADER, databaseId: 'ff'.repeat(16) }, 11, [put(9)]).bytes
    const { found, rows } = await salvaged(
      Buffer.concat([flip(bytes, starts[0] + 1).subarray(0, starts[1]), foreign, bytes.subarray(starts[1])]),
    )
    expect(found).toMatchObject({ rows: 4, damages: 1 })
    expect([...rows.keys()]).toEqual([0, 1, 3, 4])
  })

  test('keeps signatures of a damaged commit if their own checksum is right', async () => {
    const checked = journalOf(commits, { ...HEADER, checked: true })
    const { rows } = await salvaged(flip(checked.bytes, checked.starts[0] + 1))
    expect(listed(rows)).toEqual(listed(modelOf(...commits)))
    // The signature of the first row, and its checksum.
    for (const at of [36 + 20 + 30 + 4 + 3, 36 + 20 + 30 + 4 + 16]) {
      const { rows } = await salvaged(flip(checked.bytes, checked.starts[0] + at))
      expect([rows.get(0), rows.get(1)]).toMatchObject([bare(modelOf(...commits).get(0)!), { text: noise(3, 16) }])
      expect(rows.get(0)).not.toHaveProperty('text')
    }
  })

  test('applies the changes and removals of a damaged commit, without its signatures', async () => {
    const { found, rows } = await salvaged(flip(bytes, starts[1] + 4))
    // Its checksum alone is damaged: each row and each removal has one of its own.
    expect(found).toMatchObject({ rows: 4, damages: 1, orphans: 0, unsigned: 0 })
    expect(rows.get(0)).toMatchObject(bare(modelOf(...commits).get(0)!))
    expect(rows.get(1)).not.toHaveProperty('latent')
    expect(rows.has(2)).toBe(false)
  })

  test('takes the later row of a slot that was put twice', async () => {
    // What was removed by a commit that is lost, and another put into its place.
    const twice = journalOf([[put(0)], [put(0, 70)]])
    const { found, rows } = await salvaged(twice.bytes)
    expect(found).toMatchObject({ rows: 1, unsigned: 1 })
    expect(rows.get(0)).toMatchObject({ row: noise(71, 30), text: noise(2, 16) })
  })

  test('recovers what is before a torn tail, and the intact rows in it', async () => {
    const { found, rows } = await salvaged(bytes.subarray(0, starts[3] - 5))
    // Of the last one only the signature is torn.
    expect(found).toMatchObject({ rows: 4, damages: 1 })
    expect([...rows.keys()]).toEqual([0, 1, 3, 4])
    expect([rows.get(3), rows.get(4)]).toMatchObject([{ row: noise(4, 30) }, { row: noise(5, 30) }])
    for (const short of [15, 16 + 4, 16 + 4 + 1]) {
      const { rows } = await salvaged(bytes.subarray(0, starts[3] - short))
      expect([...rows.keys()], `${short} bytes short`).toEqual(short > 16 + 4 ? [0, 1, 3] : [0, 1, 3, 4])
    }
  })

  test('recovers the rows of a frame longer than the file, and allocates no buffer of the stated length', async () => {
    const long = encodeFrame(HEADER, 11, [put(7)]).bytes
    new DataView(long.buffer).setUint32(8, 2 ** 28, true)
    const damaged = Buffer.concat([flip(encodeHeader(HEADER), 20), long, encodeFrame(HEADER, 12, [put(0)]).bytes])
    let found: Salvaged | undefined
    const largest = await largestAllocation(async () => {
      found = (await salvaged(damaged)).found
    })
    expect(found).toMatchObject({ rows: 2, damages: 1 })
    expect(largest).toBeLessThan(2 ** 22)
  })

  test('takes the known database id for a damaged header, or the part of it in the frames', async () => {
    const damaged = flip(bytes, 30)
    const other = { ...HEADER, version: 3, epoch: 4, databaseId: HEADER.databaseId }
    expect((await salvaged(damaged)).found).toMatchObject({
      databaseId: `${HEADER.databaseId.slice(0, 16)}${'0'.repeat(16)}`,
      rows: 4,
    })
    expect((await salvaged(damaged, undefined, HEADER.databaseId)).found).toMatchObject({
      databaseId: HEADER.databaseId,
      rows: 4,
    })
    expect((await salvaged(damaged, undefined, 'ff'.repeat(16))).found).toMatchObject({
      databaseId: `${HEADER.databaseId.slice(0, 16)}${'0'.repeat(16)}`,
    })
    const { found, journal, kept } = await salvaged(damaged, Uint8Array.from(encodeHeader(other)), 'ff'.repeat(16))
    expect(found).toMatchObject({ databaseId: HEADER.databaseId, rows: 4, kept: ['kept 1', 'kept 2'] })
    expect(kept).toEqual([
      ['first', 0, bytes.length],
      ['second', 0, 128],
    ])
    expect(journal!.header).toMatchObject({ baseLsn: 13, epoch: 5, createdAt: 0, nextSlot: 5 })
  })

  test('begins after the seal of a sealed journal with a damaged header', async () => {
    const header = { ...HEADER, version: 3, epoch: 7 }
    const sealed = journalOf(commits, header)
    const whole = Buffer.from(sealed.bytes)
    whole.set(encodeSeal(header, { lsn: 11, at: sealed.starts[1], of: 3 }), 64)
    const { found, journal, rows } = await salvaged(flip(whole, 17))
    expect(found).toMatchObject({ rows: 4, damages: 0 })
    expect(journal!.header.epoch).toBe(8)
    expect(listed(rows)).toEqual(listed(modelOf(...commits)))
  })

  test('finds the frames of a journal whose header and first frame are damaged', async () => {
    const headless = flip(bytes, 30)
    // The first frame that is whole says where it begins; what of the one before it can be read is brought out, too.
    const { found, journal, rows } = await salvaged(flip(headless, starts[1] - 3))
    expect(found).toMatchObject({ rows: 4, unsigned: 0, orphans: 0, damages: 1 })
    expect([journal!.header.baseLsn, [...rows.keys()]]).toEqual([13, [0, 1, 3, 4]])
    // One that says that it is longer than any can be.
    expect((await salvaged(headless.with(starts[0] + 11, 0x7f))).found).toMatchObject({
      rows: 4,
      unsigned: 0,
      orphans: 0,
      damages: 1,
    })
    // No frame is whole.
    expect((await salvaged(headless.subarray(0, starts[1] - 1))).found).toBeUndefined()
  })

  test('passes over frames whose checksum is right and whose content makes no sense', async () => {
    const nonsense = nonsenseFrame(12)
    const first = journalOf([[put(0)]])
    const third = encodeFrame(HEADER, 13, [put(1)]).bytes
    const { found, rows } = await salvaged(Buffer.concat([first.bytes, nonsense, third]))
    expect([found, [...rows.keys()]]).toMatchObject([{ rows: 2, damages: 0 }, [0, 1]])
  })
})

describe('the salvage of a journal with a copy', () => {
  const commits = [[put(0), put(1)], [remove(1)], [put(2), put(3)]]
  const { bytes, starts } = journalOf(commits)
  const copy = async function* (...pages: number[][]): AsyncGenerator<StoredEpisode[]> {
    for (const page of pages)
      yield page.map((slot) => ({
        slot,
        id: `ep_${slot}`,
        row: noise(slot + 90, 7),
        signatures: { latent: noise(slot, 8) },
      }))
  }
  async function recovered(journal: Uint8Array, from?: AsyncIterable<StoredEpisode[]>) {
    const origin = (await originOf([new MemoryFile(journal), new MemoryFile()]))!
    const { journal: into, ...counts } = await recover(origin, new MemoryFile(), from)
    const rows = new Map<number, Kept>()
    await into.visit((episode) => rows.set(episode.slot, copyOf(episode)))
    return { rows, ...counts, seal: into.header.seal }
  }

  test('adds what the copy alone has, and nothing that the journal removed', async () => {
    const { rows, copied, seal } = await recovered(bytes, copy([0, 1], [2], [], [5, 6]))
    expect([copied, [...rows.keys()], seal?.of]).toEqual([2, [0, 2, 3, 5, 6], 13])
    expect(rows.get(0)).toMatchObject({ row: noise(1, 30) })
    expect(rows.get(6)).toMatchObject({ row: noise(96, 7), latent: noise(6, 8) })
    expect(await recovered(bytes)).toMatchObject({ copied: 0, damages: [] })
  })

  test('takes the content of a damaged commit from the copy', async () => {
    const damaged = Uint8Array.from(bytes)
    damaged.fill(0, starts[2], starts[3])
    const { rows, copied, damages } = await recovered(damaged, copy([2, 3]))
    expect([copied, damages, [...rows.keys()]]).toEqual([
      2,
      [{ at: starts[2], bytes: starts[3] - starts[2], tail: 'no-frame' }],
      [0, 2, 3],
    ])
  })
})

describe('the verification of a journal', () => {
  const commits = [[put(0), put(1)], [remove(1)], [put(2)]]
  const { bytes, starts } = journalOf(commits)

  async function checked(
    first: Uint8Array,
    second: Uint8Array = new Uint8Array(0),
    image = new MemoryFile(),
    follower?: { databaseId: string; epoch: number },
  ) {
    const files = [new MemoryFile(first), new MemoryFile(second)] as const
    const findings = new Findings()
    const visited: number[] = []
    const journal = await checkFiles(
      { journals: files, checkpoint: await CheckpointFile.open(image), follower },
      { findings, digest: () => 'mark', visit: ({ slot }) => visited.push(slot) },
    )
    expect([files[0].log, files[1].log]).toEqual([[], []])
    return {
      journal,
      visited,
      checked: findings.checked,
      problems: findings.problems.map(({ code, harm, count, details }) => [
        code,
        harm,
        count,
        details?.offset ?? details?.bytes,
      ]),
    }
  }

  test('counts what is intact', async () => {
    const { journal, visited, problems, checked: counts } = await checked(bytes)
    expect(problems).toEqual([])
    expect([visited, journal!.end]).toEqual([[0, 2], { lsn: 13, at: starts[3] }])
    expect(counts).toMatchObject({ rows: 2, commits: 3, bytes: bytes.length })
  })

  test('names each damage with its place', async () => {
    expect((await checked(flip(bytes, starts[1] + 9))).problems).toEqual(
      [
        ['journal-damaged', 'loss', 1, starts[1]],
        ['journal-gap', 'loss', 1, starts[2]],
      ].sort(),
    )
    expect((await checked(bytes.subarray(0, -1))).problems).toEqual([['journal-torn', 'none', 1, starts[2]]])
    const without = Buffer.concat([bytes.subarray(0, starts[1]), bytes.subarray(starts[2])])
    expect((await checked(without)).problems).toEqual([['journal-gap', 'loss', 1, starts[1]]])
    const misfit = journalOf([[put(0)], [put(0, 4)], [remove(7), put(3)]])
    const { problems, visited } = await checked(misfit.bytes)
    expect(problems).toMatchObject([['journal-misfit', 'loss', 2, misfit.starts[1]]])
    expect(visited).toEqual([0, 3])
    const nonsense = await checked(Buffer.concat([bytes, nonsenseFrame(14), encodeFrame(HEADER, 15, [put(5)]).bytes]))
    expect([nonsense.problems, nonsense.visited]).toEqual([[['journal-misfit', 'loss', 1, starts[3]]], [0, 2, 5]])
  })

  test('reports a missing journal as a loss only if there was one', async () => {
    expect(await checked(new Uint8Array(0))).toMatchObject({ journal: undefined, problems: [], visited: [] })
    const begun = encodeHeader({ ...HEADER, version: 3 })
    expect((await checked(begun)).problems).toEqual([['journal-missing', 'loss', 1, undefined]])
    expect((await checked(flip(bytes, 20))).problems).toEqual([['journal-header', 'loss', 1, undefined]])
    expect((await checked(flip(bytes, 20), begun)).problems).toEqual([['journal-header', 'loss', 1, undefined]])
  })

  test('reports files that an interrupted step left behind', async () => {
    const next = journalOf([[put(0)]], { ...HEADER, version: 3, epoch: 2, compacted: true })
    const seal = (file: Uint8Array, header: JournalHeader): Uint8Array => {
      const sealed = Uint8Array.from(file)
      sealed.set(encodeSeal(header, { lsn: 11, at: file.length, of: 13 }), 64)
      return sealed
    }
    const compacted = seal(next.bytes, { ...HEADER, epoch: 2 })
    expect((await checked(compacted, bytes)).problems).toEqual([['journal-leftover', 'none', 1, bytes.length]])
    expect((await checked(bytes, compacted)).problems).toEqual([['journal-leftover', 'none', 1, bytes.length]])
    const foreign = journalOf(commits, { ...HEADER, databaseId: 'ab'.repeat(16) })
    expect((await checked(compacted, foreign.bytes)).problems).toEqual([])
    const rebuilt = seal(journalOf([[put(0)]], { ...HEADER, version: 3, epoch: 2 }).bytes, { ...HEADER, epoch: 2 })
    expect((await checked(rebuilt, bytes)).problems).toEqual([])
    expect((await checked(bytes, next.bytes)).problems).toEqual([['journal-leftover', 'none', 1, next.bytes.length]])
    expect((await checked(bytes, next.bytes.subarray(0, 128))).problems).toEqual([])
  })

  test('reports a checkpoint that does not fit the journal', async () => {
    const file = new MemoryFile(bytes)
    const journal = await Journal.open(
      file,
      HEADER,
      async () => '',
      () => {},
    )
    const image = new MemoryFile()
    await journal.keep(await CheckpointFile.open(image), [])
    expect((await checked(bytes, undefined, image)).problems).toEqual([])
    await journal.append([put(3)])
    expect((await checked(file.content(), undefined, image)).problems).toEqual([])
    expect((await checked(bytes.subarray(0, starts[2]), undefined, image)).problems).toMatchObject([
      ['commits-lost', 'loss', 1, undefined],
    ])
    const lies = Uint8Array.from(image.content())
    const spans = Buffer.from(lies).indexOf(Buffer.from(new Float64Array([starts[0] + 36]).buffer))
    lies[spans] ^= 1
    expect((await checked(bytes, undefined, new MemoryFile(lies))).problems).toMatchObject([
      ['image-damaged', 'none', expect.any(Number), undefined],
    ])
  })
})
