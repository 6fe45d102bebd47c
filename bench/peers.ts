import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Observation } from '../src/api/episode.js'
import { type Kind, prepare } from './peers/data.js'
import { type Attempt, type Limits, race } from './peers/race.js'
import { judge } from './peers/truth.js'
import type { Table } from './tabular.js'

/** What is measured beside the peers. */
export interface PeersOptions {
  readonly source: readonly Observation[]
  readonly kinds: readonly Kind[]
  readonly sizes: readonly number[]
  readonly queries: number
  readonly limits: Limits
  /** Tables of an earlier run with fewer items: who took too much there is not tried. */
  readonly before?: readonly Table[]
}

const TITLES: Record<Kind, string> = {
  bits: 'signatures of grown texts, 8,192 bits, by Hamming distance',
  random: 'uniformly random signatures, 8,192 bits, by Hamming distance',
  latents: 'latents of grown texts, 256 floats, by cosine',
  texts: 'grown texts, asked with partial quotations and paraphrases',
}

const COLUMNS = ['build s', 'items/s', 'RSS MB', 'own MB', 'disk MB', 'open ms', 'p50 ms', 'p95 ms']

/** This library beside its peers, on the same items with the same questions: a table for each kind and size. */
export async function* besidePeers({
  source,
  kinds,
  sizes,
  queries,
  limits,
  before = [],
}: PeersOptions): AsyncGenerator<Table> {
  const attempts = new Map(kinds.map((kind) => [kind, new Map<string, Attempt>()] as const))
  const remember = ({ subject, rows }: Table) => {
    for (const { name, cells, failure } of rows)
      attempts
        .get(subject?.kind as Kind)
        ?.set(name, { count: Number(subject?.count), failure, buildS: cells['build s'] as number | undefined })
  }
  for (const table of [...before].sort((a, b) => Number(a.subject?.count) - Number(b.subject?.count))) remember(table)
  for (const count of [...sizes].sort((a, b) => a - b)) {
    for (const kind of kinds) {
      const data = await mkdtemp(join(tmpdir(), 'agidb-peers-'))
      try {
        const items = await prepare(kind, data, source, count, queries)
        const rows = await race({
          kind,
          data,
          count: items,
          queries,
          judge: await judge(kind, data, 10),
          limits,
          before: attempts.get(kind),
        })
        const table: Table = {
          title: `Ten of ${items.toLocaleString('en')} ${TITLES[kind]}, Node ${process.versions.node}`,
          subject: { section: 'peers', kind, count: items },
          columns: [...COLUMNS, kind === 'texts' ? 'hit@10' : 'recall@10', '× ours'],
          rows,
          notes: [
            'RSS: growth from the empty index, library loaded, to the full one. open: from the saved form to ' +
              'the first answer.',
            '× ours: median of the ratios of the times of the same question in the same round; the row "again" ' +
              'is the same as the first in another process.',
          ],
        }
        remember(table)
        yield table
      } finally {
        await rm(data, { recursive: true, force: true })
      }
    }
  }
}
