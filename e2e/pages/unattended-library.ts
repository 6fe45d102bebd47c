import type { Durability } from '../../src/api/stats.js'
import { assert, assertEqual } from '../../src/storage/contract/assert.js'
import { EXAM_PATH, timeless, type Exam } from '../unattended/report.js'
import './library.js'
import type { PageCase } from './page-case.js'

const { library } = window

/** The library in its engine worker, in one tab. */
export const libraryCases = async (wanted: Durability): Promise<PageCase[]> => [
  {
    name: 'what was observed is recalled, and is there when it is opened again',
    async run() {
      const text = 'Sarah recommended Bawri, a thai place in Bandra.'
      const db = await library.open({ name: 'again' })
      await db.observe(text, { speaker: 'Sarah', at: '2026-05-01T19:00:00Z' })
      await db.observeMany(library.observations(2_000, 'n'))
      const { episodes, kernel, durability, durabilityReason, codebook, role } = await db.stats()
      assertEqual(
        [episodes, kernel, durability, role, codebook !== 'none'],
        [2001, 'wasm-simd', wanted, 'owner', true],
        'stats',
      )
      await db.close()
      const again = await library.open({ name: 'again' })
      const { matches } = await again.recall('what thai place was mentioned?', { k: 3 })
      const { opening, room } = await again.stats()
      await again.close()
      assertEqual(
        [matches[0].text, matches[0].speaker, matches[0].at],
        [text, 'Sarah', '2026-05-01T19:00:00.000Z'],
        'the best match',
      )
      return (
        `durability ${durability}: ${durabilityReason}; opening ` +
        `${JSON.stringify(opening.map(({ kind }) => kind))}; room ${JSON.stringify(room)}`
      )
    },
  },
  {
    name: 'the kernel can be given as an address, bytes and a module, or be the TypeScript one',
    async run() {
      const url = new URL('/src/kernel/built/agidb_kernel_bg.wasm', location.href)
      const bytes = await (await fetch(url)).arrayBuffer()
      const kernels: string[] = []
      for (const options of [
        { kernel: url },
        { kernel: bytes },
        { kernel: await WebAssembly.compile(bytes) },
        { referenceKernel: true },
      ]) {
        const db = await library.open({ storage: 'memory', ...options })
        kernels.push((await db.stats()).kernel)
        await db.close()
      }
      assertEqual(kernels, ['wasm-simd', 'wasm-simd', 'wasm-simd', 'reference'], 'kernels')
    },
  },
  {
    name: 'the same question on the same memory has the same answer as in Node, to the bit',
    async run() {
      const { observations, cues, answers } = (await (await fetch(EXAM_PATH)).json()) as Exam
      const { recalls } = await library.answersAtNoon(observations, cues)
      assert(cues.length === 40 && recalls.length === 40, 'all were asked')
      for (const [i, cue] of cues.entries()) assertEqual(timeless(recalls[i]), answers[i], cue)
    },
  },
  {
    name: 'a worker of the engine worker shares the scan; the answers are the same',
    async run() {
      const { shards, together, alone } = await library.shared()
      // The threads get their copies out of the journal.
      if (wanted === 'strict')
        assert(shards.threads === 1 && shards.episodes >= 100, `shards: ${JSON.stringify(shards)}`)
      assertEqual(together, alone, 'answers')
    },
  },
  {
    name: 'a worker that is terminated: calls fail with AGIDB_WORKER, and nothing acknowledged is lost',
    async run() {
      const { db, worker } = await library.openWithWorker({ name: 'killed' })
      await db.observeMany(library.observations(300, 'safe'))
      const waiting = [
        library.failure(db.observeMany(library.observations(5_000, 'lost'))),
        library.failure(db.recall('the valve')),
      ]
      worker.terminate()
      assertEqual(
        (await Promise.all(waiting)).map((error) => error?.code),
        ['AGIDB_WORKER', 'AGIDB_WORKER'],
        'the calls under way',
      )
      await db.close()
      const again = await library.open({ name: 'killed' })
      let safe = 0
      for await (const episodes of again.episodes({ limit: 1_000 }))
        safe += episodes.filter(({ id }) => id.startsWith('safe')).length
      await again.close()
      assertEqual(safe, 300, 'acknowledged episodes')
    },
  },
  {
    name: 'an exported memory is imported whole',
    async run() {
      const from = await library.open({ name: 'from' })
      await from.observeMany(library.observations(3_000, 'n'))
      const file = await new Response(await from.export({ passphrase: 'between browsers' })).blob()
      await from.close()
      const to = await library.open({ name: 'to' })
      await to.import(file, { passphrase: 'between browsers' })
      const { episodes } = await to.stats()
      await to.close()
      assertEqual(episodes, 3_000, 'episodes')
    },
  },
  {
    name: 'a memory that was compacted and verified is well',
    async run() {
      const db = await library.open({ name: 'compacted' })
      await db.observeMany(library.observations(500, 'n'))
      for (let i = 0; i < 250; i++) await db.supersede(`n${i}`, `n${i + 250}`)
      await db.compact()
      const { problems, checked } = await db.verify()
      assertEqual([problems, checked.rows], [[], 500], 'what verifying finds')
      await db.close()
    },
  },
]
