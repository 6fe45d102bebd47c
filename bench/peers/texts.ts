import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { create, insertMultiple, load, save, search } from '@orama/orama'
import MiniSearch from 'minisearch'
import type { Agidb as Database } from '../../src/api/agidb.js'
import type { Observation } from '../../src/api/episode.js'
import { Agidb } from '../../src/runtimes/node/index.js'
import { line } from '../recall/exam.js'
import { STEMS as MINISEARCH_STEMS, type Settings, type Turn } from '../recall/peers/minisearch.js'
import { STEMS as ORAMA_STEMS } from '../recall/peers/orama.js'
import type { Contender, Index, Setting } from './contender.js'

/** This library in a folder, with all its signals. */
export const recall: Contender<Observation, string> = {
  name: 'agidb recall',
  open: remembered,
  reopen: remembered,
}

async function remembered({ folder }: Setting): Promise<Index<Observation, string>> {
  const db: Database = await Agidb.open({ extract: 'none', path: join(folder, 'memory.agidb') })
  let next = 0
  return {
    async add(items) {
      await db.observeMany(items.map((item) => ({ ...item, id: `turn ${next++}` })))
    },
    async search(cue, k) {
      const { matches } = await db.recall(cue, { k })
      return matches.map(({ id }) => Number(id.slice('turn '.length)))
    },
    save: () => db.close(),
  }
}

/** MiniSearch (BM25+), kept as its JSON. */
export const miniSearches = [
  miniSearch('MiniSearch', {}),
  miniSearch('MiniSearch, stems, stop words out', MINISEARCH_STEMS),
]

function miniSearch(name: string, settings: Settings): Contender<Observation, string> {
  const options = { fields: ['line'], ...settings }
  const indexed = (index: MiniSearch<Turn>, folder: string): Index<Observation, string> => {
    let next = 0
    return {
      add: (items) => index.addAll(items.map((item) => ({ id: next++, line: line(item) }))),
      search: (cue, k) =>
        index
          .search(cue)
          .slice(0, k)
          .map(({ id }) => id as number),
      save: () => writeFile(join(folder, 'minisearch.json'), JSON.stringify(index)),
    }
  }
  return {
    name,
    open: async ({ folder }) => indexed(new MiniSearch<Turn>(options), folder),
    reopen: async ({ folder }) =>
      indexed(MiniSearch.loadJSON(await readFile(join(folder, 'minisearch.json'), 'utf8'), options), folder),
  }
}

/** Orama's full text search, kept as the JSON of what it saves. */
export const oramas = [orama('Orama', {}), orama('Orama, stems, stop words out', ORAMA_STEMS)]

function orama(name: string, tokenizer: object): Contender<Observation, string> {
  const indexed = async ({ folder }: Setting, saved: boolean): Promise<Index<Observation, string>> => {
    const db = create({ schema: { line: 'string' } as const, components: { tokenizer } })
    const path = join(folder, 'orama.json')
    if (saved) load(db, JSON.parse(await readFile(path, 'utf8')))
    let next = 0
    return {
      async add(items) {
        await insertMultiple(
          db,
          items.map((item) => ({ id: String(next++), line: line(item) })),
        )
      },
      async search(term, limit) {
        const { hits } = await search(db, { term, limit })
        return hits.map(({ id }) => Number(id))
      },
      save: () => writeFile(path, JSON.stringify(save(db))),
    }
  }
  return { name, open: (setting) => indexed(setting, false), reopen: (setting) => indexed(setting, true) }
}
