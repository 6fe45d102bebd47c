import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawing } from '../../../../demo/neighbourhood/drawing.js'
import { told } from '../../../../demo/neighbourhood/told.js'
import type { WhyStep } from '../../../../src/api/graph.js'

const step = (from: string, edge: string, to: string, weight = 0.5): WhyStep => ({ from, edge, weight, to })
const isEpisode = (id: string) => /^e\d/.test(id)
const by = (...why: WhyStep[]) => ({ why })

describe('the drawing of a neighbourhood', () => {
  it('has the episode in the middle, and everything that leads to its neighbours', () => {
    const { points, lines } = drawing(
      'e0',
      [by(step('e0', 'forward', 'e1')), by(step('e0', 'entity', 'Kestrel'), step('Kestrel', 'entity', 'e2'))],
      [],
      isEpisode,
    )
    expect(points.map(({ id, isEpisode }) => [id, isEpisode])).toEqual([
      ['e0', true],
      ['e1', true],
      ['Kestrel', false],
      ['e2', true],
    ])
    expect(points.find(({ isCentre }) => isCentre)).toMatchObject({ id: 'e0', x: 0, y: 0 })
    expect(lines.map(({ kind }) => kind)).toEqual(['forward', 'entity', 'entity'])
  })

  it('marks the path of the match, also where neighbours are reached by the same lines', () => {
    const path = [step('e9', 'entity', 'Kestrel'), step('Kestrel', 'entity', 'e0')]
    const { points, lines } = drawing(
      'e0',
      [by(step('e0', 'entity', 'Kestrel'), step('Kestrel', 'entity', 'e2'))],
      path,
      isEpisode,
    )
    expect(lines.map(({ isPath }) => isPath)).toEqual([true, true, false])
    expect(points.filter(({ isPath }) => isPath).map(({ id }) => id)).toEqual(['e0', 'Kestrel', 'e9'])
  })

  it('draws what comes next and what came before as one line', () => {
    const { lines } = drawing('e0', [by(step('e0', 'backward', 'e1'))], [step('e1', 'forward', 'e0')], isEpisode)
    expect(lines).toHaveLength(1)
  })

  it('takes what leads from entity to entity for a relation', () => {
    const { lines } = drawing('e0', [by(step('e0', 'entity', 'Ann'), step('Ann', 'leads', 'Apollo'))], [], isEpisode)
    expect(lines.map(({ kind }) => kind)).toEqual(['entity', 'relation'])
  })

  it('puts no two nodes in the same place, and leaves none out', () => {
    const id = fc.integer({ min: 0, max: 40 }).map((n) => (n % 3 === 0 ? `name ${n}` : `e${n}`))
    const edge = fc.constantFrom('forward', 'backward', 'association', 'entity', 'leads')
    const walk = fc.array(fc.tuple(edge, id), { minLength: 1, maxLength: 4 }).map((steps) => {
      let at = 'e1'
      return by(...steps.map(([kind, to]) => step(at, kind, (at = to))))
    })
    fc.assert(
      fc.property(fc.array(walk, { maxLength: 30 }), (neighbours) => {
        const { points, lines } = drawing('e1', neighbours, [], isEpisode)
        const ids = new Set(['e1', ...neighbours.flatMap(({ why }) => why.flatMap(({ from, to }) => [from, to]))])
        expect(new Set(points.map(({ id }) => id))).toEqual(ids)
        expect(new Set(points.map(({ x, y }) => `${x} ${y}`)).size).toBe(points.length)
        for (const { from, to } of lines) expect(ids.has(from) && ids.has(to)).toBe(true)
      }),
    )
  })
})

describe('a path in words', () => {
  it('says what each step is', () => {
    expect(told([step('e1', 'forward', 'e2')], isEpisode)).toBe('came next')
    expect(told([step('e1', 'entity', 'Kestrel'), step('Kestrel', 'entity', 'e2')], isEpisode)).toBe(
      'both name Kestrel',
    )
    expect(told([step('e1', 'word', 'zeppelin'), step('zeppelin', 'word', 'e2')], isEpisode)).toBe(
      'both say “zeppelin”',
    )
    const far = [step('e1', 'entity', 'Ann'), step('Ann', 'leads', 'Apollo'), step('Apollo', 'entity', 'e2')]
    expect(told(far, isEpisode)).toBe('names Ann, then Ann leads Apollo, then names Apollo')
    expect(told([step('e1', 'backward', 'e2'), step('e2', 'association', 'e3')], isEpisode)).toBe(
      'came just before, then often together',
    )
  })
})
