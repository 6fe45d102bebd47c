import { afterEach, describe, expect, it } from 'vitest'
import type { Observation } from '../../../../src/api/episode.js'
import type { Calibration, Ranker, Tree } from '../../../../src/api/ranker.js'
import type { Engine } from '../../../../src/engine/engine.js'
import type { EngineOptions } from '../../../../src/engine/options.js'
import { NOW, openMemory } from '../../engine/open.js'

const TALK: Observation[] = [
  { id: 'short', text: 'The kettle whistles.', speaker: 'Ann', session: 's', at: NOW - 5000 },
  {
    id: 'long',
    text:
      'The kettle that my grandmother gave to us when we married still stands on the stove and whistles every ' +
      'morning.',
    speaker: 'Tom',
    session: 's',
    at: NOW - 4000,
    triples: [{ subject: 'Tom', predicate: 'owns', object: 'kettle' }],
  },
  { id: 'middle', text: 'Somebody left the kettle on the fire again.', speaker: 'Ann', session: 's', at: NOW - 3000 },
  { id: 'other', text: 'Tax forms are due in July.', speaker: 'Tom', session: 't', at: NOW - 2000 },
]

/** Prefers long texts, or short ones; and a hair what has the cue's words. */
function ranker(
  longer: boolean,
  calibration: Calibration = { inputs: ['rank'], weights: [-1], intercept: 1, answered: 0 },
): Ranker {
  const side = longer ? 1 : -1
  const trees = [1.5, 2, 2.5].map(
    (threshold): Tree => ({
      feature: [0, 0, 0],
      threshold: [threshold, 0, 0],
      left: [1, 0, 0],
      value: [0.1, -side, side],
    }),
  )
  const words: Tree = {
    feature: [1, 2, 0, 0, 0],
    threshold: [0, 0.5, 0, 0, 0],
    left: [1, 3, 0, 0, 0],
    value: [0, -0.2, 0.2, -0.3, -0.1],
  }
  return {
    format: 'agidb-ranker',
    version: 1,
    name: longer ? 'long first' : 'short first',
    trainedOn: 'nothing',
    licence: 'CC0-1.0',
    models: {
      plain: { features: ['length.log', 'words.z', 'fusion.share'], trees: [...trees, words], scale: 5, calibration },
    },
  }
}

let db: Engine
const open = async (options: Partial<EngineOptions>) => {
  db = await openMemory(options)
  await db.observeMany(TALK)
}
afterEach(() => db.close())
const order = async () => (await db.recall('kettle', { k: 4 })).matches.map(({ id }) => id)

describe('open({ ranker })', () => {
  it('ranks by a ranker of the caller, and stats() has its name', async () => {
    await open({ ranker: ranker(true) })
    expect((await order()).slice(0, 2)).toEqual(['long', 'middle'])
    expect((await db.stats()).ranker).toBe('long first')
    await db.close()
    await open({ ranker: JSON.parse(JSON.stringify(ranker(false))) as Ranker })
    expect((await order())[0]).toBe('short')
    expect((await db.stats()).ranker).toBe('short first')
  })

  it('has the unlearned fusion by its name', async () => {
    await open({ ranker: 'fusion' })
    expect((await db.stats()).ranker).toBe('fusion')
    expect(Object.keys((await db.recall('kettle')).matches[0].signals)).not.toContain('prior')
  })

  it('shows signals that add up to the score, whatever else weighs in', async () => {
    await open({ ranker: ranker(true) })
    for (const options of [
      {},
      { recencyWindow: 2000 },
      { goals: ['kettle on the fire'] },
      { structured: { subject: 'Tom' }, weights: { structured: 0.4, fuzzy: 0.6 } },
    ]) {
      const { matches, attentionTrace } = await db.recall('where is the kettle?', {
        k: 4,
        traceAttention: true,
        ...options,
      })
      expect(matches.length).toBeGreaterThan(2)
      expect(Object.keys(matches[0].signals)).toEqual(expect.arrayContaining(['prior', 'length']))
      for (const { id, signals, score } of attentionTrace!.candidates) {
        const sum = Object.values(signals).reduce((a, b) => a + b, 0)
        expect(Math.abs(sum - score)).toBeLessThan(1e-9)
        const match = matches.find((match) => match.id === id)
        if (match) expect(match.signals).toEqual(signals)
      }
      const scores = matches.map(({ signals }) => Object.values(signals).reduce((a, b) => a + b, 0))
      expect(scores).toEqual([...scores].sort((a, b) => b - a))
    }
  })

  it('takes confidence from the calibration of the ranker, from 50 memories on', async () => {
    const others = Array.from({ length: 50 }, (_, i) => ({ text: `The tram number ${i} was late.`, session: 'tram' }))
    const best = async (intercept: number) => {
      await open({ ranker: ranker(true, { inputs: ['gap'], weights: [1], intercept, answered: 0 }) })
      await db.observeMany(others)
      return (await db.recall('kettle')).matches[0].confidence
    }
    const sure = await best(5)
    await db.close()
    expect(sure).toBeGreaterThan(await best(-5))
  })

  it('refuses what is no ranker, and a feature that it does not compute by its name', async () => {
    await open({})
    await expect(openMemory({ ranker: {} as Ranker })).rejects.toMatchObject({ code: 'AGIDB_RANKER' })
    await expect(openMemory({ ranker: 'best' as 'free' })).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    const own = ranker(true)
    const strange = {
      ...own,
      models: { plain: { ...own.models.plain!, features: ['length.log', 'smell.z', 'fusion.share'] } },
    }
    await expect(openMemory({ ranker: strange })).rejects.toMatchObject({
      code: 'AGIDB_RANKER',
      message: expect.stringContaining('"smell.z"') as string,
    })
  })
})
