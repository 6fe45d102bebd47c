import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Stats } from '../../../src/api/stats.js'
import type { Ranker } from '../../../src/api/ranker.js'
import type { Recall } from '../../../src/api/recall.js'
import { openNode } from '../../../src/runtimes/node/engine.js'
import { Agidb } from '../../../src/runtimes/node/index.js'
import { agidb, scratch } from './agidb.js'

const THINGS = (
  'kettle ladder violin hammer lantern basket carpet mirror teapot compass helmet blanket bucket candle drawer ' +
  'easel fiddle goblet ' +
  'hammock iron jacket knife letter magnet needle oboe pillow quilt ribbon saddle trumpet umbrella vase ' +
  'whistle yarn zither'
).split(' ')
const ROOMS = ['cellar', 'attic', 'kitchen', 'garage', 'shed']

const files = scratch()
const db = files.path('memory')
const judgements = (lines: readonly unknown[]) => lines.map((line) => JSON.stringify(line)).join('\n')
const ask = (thing: string) => `where is the ${thing}?`
const leftovers = () => readdirSync(dirname(db)).filter((name) => name.includes('.tmp'))
/** Of each thing somebody asks, in the words of the cue, and somebody else answers. */
const asked: { cue: string; ids: string[] }[] = THINGS.map((thing) => ({ cue: ask(thing), ids: [`answer-${thing}`] }))

describe('agidb train', () => {
  beforeAll(async () => {
    const memory = await Agidb.open({ path: db })
    await memory.observeMany(
      THINGS.flatMap((thing, i) => [
        { id: `question-${thing}`, text: `Where is the ${thing}?`, speaker: 'Ann', session: thing },
        {
          id: `answer-${thing}`,
          text: `The ${thing} is in the ${ROOMS[i % ROOMS.length]}, I believe.`,
          speaker: 'Tom',
          session: thing,
        },
      ]),
    )
    await memory.close()
  })

  it('learns from judgements, says how it does on held-back questions, and recall ranks by it', async () => {
    const file = files.write('judgements.jsonl', judgements([...asked, { cue: 'who won the regatta?', ids: [] }]))
    const out = files.path('mine.json')
    const {
      code,
      err,
      out: said,
    } = await agidb('train', '--db', db, '--judgements', file, '--out', out, '--licence', 'CC0-1.0', '--json')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const report = JSON.parse(said) as { heldBack: { name: string; MRR: number; 'R@10': number }[]; groups: number }
    expect(report).toMatchObject({
      name: 'mine',
      groups: 10,
      trainedOn: '37 questions (36 with an answer) asked of a memory of 72',
    })
    const [mine, free, fusion] = report.heldBack
    expect([mine.name, free.name, fusion.name]).toEqual(['mine', 'free', 'fusion'])
    expect(mine.MRR).toBeGreaterThan(0.9)
    expect(fusion.MRR).toBeLessThan(0.8)

    const ranker = JSON.parse(readFileSync(out, 'utf8')) as Ranker
    expect(ranker).toMatchObject({ format: 'agidb-ranker', version: 1, name: 'mine', licence: 'CC0-1.0' })
    expect(Object.keys(ranker.models).sort()).toEqual(['codebook', 'plain'])
    expect(leftovers()).toEqual([])

    const first = async (by: string) =>
      (JSON.parse((await agidb('recall', ask('violin'), '--db', db, '--ranker', by, '--json')).out) as Recall)
        .matches[0]
    expect(await first(out)).toMatchObject({ id: 'answer-violin', signals: { prior: expect.any(Number) as number } })
    expect(await first('fusion')).toMatchObject({ id: 'question-violin' })
    const own = await Agidb.open({ path: db, ranker })
    expect((await own.stats()) satisfies Stats).toMatchObject({ ranker: 'mine', episodes: 72 })
    await own.close()
  })

  it('refuses what teaches nothing, and says what is wrong and where', async () => {
    const out = files.path('never.json')
    const refused = async (lines: string, ...more: string[]) => {
      const file = files.write(`refused-${lines.length}.jsonl`, lines)
      const { code, err } = await agidb('train', '--db', db, '--judgements', file, '--out', out, ...more)
      return `${code}: ${err}`
    }
    const strange = judgements([...asked.slice(1), { cue: ask('kettle'), ids: ['nobody'] }])
    const said = await Promise.all([
      refused(judgements(asked.slice(0, 12))),
      refused(strange),
      refused(`${judgements(asked)}\n{"cue": "who?"`),
      refused(judgements(asked.map((line) => ({ ...line, group: 'one' })))),
      refused(judgements([...asked, asked[0]]), '--name', 'free'),
    ])
    expect(said[0]).toMatch(
      /^2: agidb: .*12 questions with an answer; at least 30 are needed.*\(AGIDB_INVALID_ARGUMENT\)\n$/,
    )
    expect(said[1]).toMatch(/^1: agidb: .*, line 36: no memory in .* has the id "nobody" \(AGIDB_NOT_FOUND\)\n$/)
    expect(said[2]).toMatch(/^2: agidb: .*, line 37: no JSON .*\(AGIDB_INVALID_ARGUMENT\)\n$/)
    expect(said[3]).toMatch(/^2: agidb: .*group "one"; two are needed at least/)
    expect(said[4]).toMatch(/^2: agidb: a ranker free comes with agidb; give another --name/)
    expect(existsSync(out)).toBe(false)
  })

  it('says which file it cannot read or write before it works', async () => {
    const file = files.write('fine.jsonl', judgements(asked))
    const said = await Promise.all([
      agidb('train', '--db', db, '--judgements', files.path('missing.jsonl'), '--out', files.path('x.json')),
      agidb('train', '--db', db, '--judgements', file, '--out', files.path('no/such/x.json')),
      agidb('train', '--db', db, '--judgements', file, '--out', db),
      agidb('train', '--db', files.path('elsewhere'), '--judgements', file, '--out', files.path('x.json')),
      agidb('recall', 'a', '--db', db, '--ranker', files.path('missing.json')),
      agidb('recall', 'a', '--db', db, '--ranker', file),
    ])
    expect(said.map(({ code, err }) => `${code} ${/\((\w+)\)\n$/.exec(err)?.[1]}`)).toEqual([
      '1 AGIDB_NOT_FOUND',
      '1 AGIDB_STORAGE',
      '2 AGIDB_INVALID_ARGUMENT',
      '1 AGIDB_NOT_FOUND',
      '1 AGIDB_NOT_FOUND',
      '1 AGIDB_RANKER',
    ])
    expect(existsSync(files.path('elsewhere'))).toBe(false)
    expect(existsSync(files.path('x.json'))).toBe(false)
  })

  it('trains a ranker again without the memories that were removed, and stats call it stale until then', async () => {
    const file = files.write('again.jsonl', judgements(asked))
    const out = files.path('again.json')
    await agidb('train', '--db', db, '--judgements', file, '--out', out, '--licence', 'CC0-1.0')
    const removed = await openNode({ path: db, codebook: 'none' })
    await removed.remove('answer-kettle')
    await removed.close()
    const stats = async () => {
      const memory = await Agidb.open({ path: db, ranker: JSON.parse(readFileSync(out, 'utf8')) as Ranker })
      const { rankerStale, opening } = await memory.stats()
      await memory.close()
      return { rankerStale, events: opening.filter(({ kind }) => kind === 'ranker-stale').length }
    }
    expect(await stats()).toEqual({ rankerStale: 1, events: 1 })
    expect((await agidb('train', '--db', db, '--judgements', file, '--again', out)).code).toBe(0)
    expect(await stats()).toEqual({ rankerStale: 0, events: 0 })
    const again = JSON.parse(readFileSync(out, 'utf8')) as Ranker
    expect(again).toMatchObject({ name: 'again', licence: 'CC0-1.0' })
    expect(again.records!.ids).toHaveLength(asked.length - 1)
    expect(again.records!.ids).not.toContain('answer-kettle')
    const both = await agidb('train', '--db', db, '--judgements', file, '--again', out, '--out', files.path('b.json'))
    expect(both).toMatchObject({ code: 2, err: expect.stringContaining('--out or --again, not both') as string })
  }, 300_000)
})
