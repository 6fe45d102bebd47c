import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BeliefRevision, FoundBelief } from '../../../../src/api/belief.js'
import { posterior } from '../../../../src/memory/beliefs/bayes.js'
import { NOW, openMemory } from '../../engine/open.js'
import { runs } from '../../../runs.js'

const numRuns = runs()

const NAMES = ['Ann', 'Bob', 'Cleo', 'Dora', 'Edo']
const TRUST: Readonly<Record<string, number>> = { chat: 0.9, rumour: 0.5, '*': 0.7 }
const name = fc.constantFrom(...NAMES)
const confidence = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100)
const pick = fc.nat({ max: 1000 })
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('assert' as const),
      subject: name,
      object: name,
      alias: fc.boolean(),
      confidence,
      ago: pick,
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('claim' as const), about: name, confidence }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('aka' as const), subject: name, object: name, ago: pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('revise' as const),
      belief: pick,
      source: fc.constantFrom('chat', 'rumour', 'news'),
      says: fc.constantFrom('same', 'other', 'denied', 'else'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('withdraw' as const), belief: pick }) },
)
const question = fc.record({
  about: name,
  valid: pick,
  known: pick,
  k: fc.integer({ min: 1, max: 12 }),
  minConfidence: confidence,
})

interface Naive {
  readonly id: string
  readonly claim: string
  readonly triple?: { readonly subject: string; readonly predicate: string; readonly object: string }
  readonly from: number
  readonly log: { readonly at: number; readonly after: number; readonly kind: BeliefRevision['kind'] }[]
}

test(
  'what is believed of a name, and of its other names, is what a naive reader would say',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }),
        fc.array(question, { minLength: 3, maxLength: 8 }),
        async (steps, questions) => {
          let now = NOW
          const db = await openMemory({ clock: () => now, sourceTrust: TRUST })
          const beliefs: Naive[] = []
          const akas: { readonly pair: readonly [string, string]; readonly from: number; readonly recorded: number }[] =
            []
          const standing = () => beliefs.filter(({ log }) => log.at(-1)!.kind !== 'withdrawn')
          /** All names of what a name names, as they are known now. */
          const namesOf = (one: string): Set<string> => {
            const told = akas.filter(({ from, recorded }) => recorded <= now && from <= now).map(({ pair }) => pair)
            const pairs = [
              ...told,
              ...standing().flatMap(({ triple, from }) =>
                isAlias(triple) && from <= now ? [[triple.subject, triple.object] as const] : [],
              ),
            ]
            return closed(one, pairs)
          }
          /** What one more belief says, or the same again. */
          const hold = async (
            belief: { claim: string; confidence: number; validFrom?: number },
            triple?: Naive['triple'],
          ) => {
            const from = belief.validFrom ?? now
            const same = standing().find(
              (other) =>
                other.from <= from &&
                (triple === undefined
                  ? other.triple === undefined && other.claim === belief.claim
                  : JSON.stringify(other.triple) === JSON.stringify(triple)),
            )
            const id = await db.assertBelief({ ...belief, ...triple })
            if (same === undefined)
              return beliefs.push({
                id,
                claim: belief.claim,
                triple,
                from,
                log: [{ at: now, after: belief.confidence, kind: 'asserted' }],
              })
            expect(id).toBe(same.id)
            if (same.log.at(-1)!.after !== belief.confidence)
              same.log.push({ at: now, after: belief.confidence, kind: 'asserted' })
          }
          for (const taken of steps) {
            now += 1000
            if (taken.op === 'assert') {
              const triple = {
                subject: taken.subject,
                predicate: taken.alias ? 'is also known as' : 'likes',
                object: taken.object,
              }
              // The claim itself names nobody: what is found is found by the statement.
              await hold({ claim: 'so it is', confidence: taken.confidence, validFrom: now - taken.ago * 100 }, triple)
            } else if (taken.op === 'claim') {
              await hold({
                claim: `they say that ${taken.about.toLowerCase()}'s house is old`,
                confidence: taken.confidence,
              })
            } else if (taken.op === 'aka') {
              const at = now - taken.ago * 100
              await db.observe('Names were mentioned.', {
                at,
                triples: [{ subject: taken.subject, predicate: 'aka', object: taken.object }],
              })
              akas.push({ pair: [taken.subject, taken.object], from: at, recorded: now })
            } else {
              const belief = standing()[taken.belief % Math.max(1, standing().length)]
              if (belief === undefined) continue
              const before = belief.log.at(-1)!.after
              if (taken.op === 'withdraw') {
                await db.withdrawBelief(belief.id, 'no more')
                belief.log.push({ at: now, after: before, kind: 'withdrawn' })
              } else if (belief.triple !== undefined) {
                const { subject, predicate, object } = belief.triple
                const said = {
                  same: [predicate, object],
                  other: [predicate, `${object} II`],
                  denied: [`never ${predicate}`, object],
                  else: ['saw', object],
                }[taken.says]
                const denied = taken.says === 'denied'
                const names = (triple: NonNullable<Naive['triple']>, part: 'subject' | 'object') =>
                  isAlias(triple) ? new Set([triple[part]]) : namesOf(triple[part])
                // The episode bears on all beliefs that say the same by whatever names, also on those that nobody asks
                // about.
                const borne =
                  taken.says === 'else'
                    ? []
                    : standing().filter(
                        ({ triple }) =>
                          triple?.predicate === predicate &&
                          names(triple, 'subject').has(subject) &&
                          names(triple, 'object').has(said[1]),
                      )
                const episode = await db.observe('It was said.', {
                  source: taken.source,
                  triples: [{ subject, predicate: said[0], object: said[1] }],
                })
                // Evidence is an episode, and what it says of names holds even where the belief falls.
                if (said[0] === 'is also known as') akas.push({ pair: [subject, said[1]], from: now, recorded: now })
                for (const { log } of borne) {
                  const after = weighed(log.at(-1)!.after, TRUST[taken.source] ?? TRUST['*'], denied)
                  log.push({ at: now, after, kind: 'revised' })
                  if (denied && after < 0.05) log.push({ at: now, after, kind: 'withdrawn' })
                }
                const report = await db.reviseBelief(belief.id, episode)
                if (!borne.includes(belief)) belief.log.push({ at: now, after: before, kind: 'revised' })
                const after = belief.log.at(-1)!.after
                expect(report).toMatchObject({
                  before: expect.closeTo(before, 10),
                  after: expect.closeTo(after, 10),
                  contradicted: denied,
                })
              }
            }
          }
          for (const { id, log } of beliefs) {
            const history = await db.beliefHistory(id)
            expect(history.map(({ at, after, kind }) => ({ at: Date.parse(at), after, kind }))).toEqual(
              log.map((entry) => ({ ...entry, after: expect.closeTo(entry.after, 10) as number })),
            )
            expect((await db.getBelief(id))!.withdrawn !== undefined).toBe(log.at(-1)!.kind === 'withdrawn')
          }
          for (const { about, valid, known, k, minConfidence } of questions) {
            const [validAsOf, transactionAsOf] = [now - valid * 50, now - known * 20]
            const held = beliefs.flatMap(({ log, from, ...belief }, place) => {
              const then = log.filter(({ at }) => at <= transactionAsOf)
              const isHeld = then.length > 0 && then.at(-1)!.kind !== 'withdrawn' && from <= validAsOf
              return isHeld ? [{ ...belief, place, confidence: then.at(-1)!.after }] : []
            })
            const pairs = [
              ...akas
                .filter(({ from, recorded }) => recorded <= transactionAsOf && from <= validAsOf)
                .map(({ pair }) => pair),
              ...held.flatMap(({ triple }) =>
                triple?.predicate === 'is also known as' ? [[triple.subject, triple.object] as const] : [],
              ),
            ]
            const names = closed(about, pairs)
            const isAbout = ({ triple, claim }: (typeof held)[number], one: string) =>
              triple === undefined
                ? claim.includes(` ${one.toLowerCase()}'s `)
                : triple.subject === one || triple.object === one
            const sure = held
              .filter(({ confidence }) => confidence >= minConfidence)
              .sort((a, b) => b.confidence - a.confidence || a.place - b.place)
            const own = sure.filter((belief) => isAbout(belief, about))
            const others = sure.filter(
              (belief) => !own.includes(belief) && [...names].some((one) => isAbout(belief, one)),
            )
            const expected = [...own.map(({ id }) => [id, 'concept']), ...others.map(({ id }) => [id, 'alias'])].slice(
              0,
              k,
            )
            const found = await db.whatDoIBelieve(about, { validAsOf, transactionAsOf, k, minConfidence })
            const named = found.filter(({ foundBy }) => foundBy !== 'similarity')
            expect(named.map(({ id, foundBy }) => [id, foundBy])).toEqual(expected)
            expect(found.length).toBeLessThanOrEqual(k)
            expect(kinds(found)).toEqual(kinds(found).sort())
            for (const { id, confidence } of found)
              expect(confidence).toBeCloseTo(held.find((belief) => belief.id === id)!.confidence, 10)
          }
          await db.close()
        },
      ),
      { numRuns },
    )
  },
  60_000 + numRuns * 500,
)

function isAlias(triple: Naive['triple']): triple is NonNullable<Naive['triple']> {
  return triple?.predicate === 'is also known as'
}

/** A name and all that pairs of names lead to from it. */
function closed(name: string, pairs: readonly (readonly [string, string])[]): Set<string> {
  const names = new Set([name])
  for (const one of names) for (const [a, b] of pairs) if (a === one || b === one) names.add(a === one ? b : a)
  return names
}

/** Bayes' rule, written down again. */
function weighed(confidence: number, r: number, denied: boolean): number {
  const prior = Math.min(0.99, Math.max(0.01, confidence))
  const update = (r: number) => (prior * r) / (prior * r + (1 - prior) * (1 - r))
  return denied ? Math.min(confidence, update(1 - r)) : Math.max(confidence, update(r))
}

/** By which the answers were found, as numbers that must not fall. */
function kinds(found: readonly FoundBelief[]): number[] {
  return found.map(({ foundBy }) => ['concept', 'alias', 'similarity'].indexOf(foundBy))
}

test("Bayes' rule keeps confidences between 0 and 1, and evidence undoes its opposite in any order", () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true })
  const trust = fc.double({ min: 0.5, max: 0.99, noNaN: true })
  fc.assert(
    fc.property(unit, trust, trust, (c, r, s) => {
      for (const verdict of ['supports', 'contradicts', 'neutral'] as const) {
        const after = posterior(c, verdict, r)
        expect(after).toBeGreaterThanOrEqual(0)
        expect(after).toBeLessThanOrEqual(1)
      }
      expect(posterior(c, 'neutral', r)).toBe(c)
      // Away from the bounds of the prior, where nothing is cut off.
      const middle = 0.3 + 0.4 * c
      const [low, high] = [0.5 + (r - 0.5) / 4, 0.5 + (s - 0.5) / 4]
      expect(posterior(middle, 'supports', low)).toBeGreaterThanOrEqual(middle - 1e-12)
      expect(posterior(middle, 'contradicts', low)).toBeLessThanOrEqual(middle + 1e-12)
      expect(posterior(posterior(middle, 'supports', low), 'contradicts', low)).toBeCloseTo(middle, 10)
      expect(posterior(posterior(middle, 'supports', low), 'contradicts', high)).toBeCloseTo(
        posterior(posterior(middle, 'contradicts', high), 'supports', low),
        10,
      )
    }),
    { numRuns: 10 * numRuns },
  )
})
