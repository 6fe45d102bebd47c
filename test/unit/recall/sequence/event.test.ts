import { describe, expect, it, test } from 'vitest'
import { denies, inFirstPerson, toldOf } from '../../../../src/recall/sequence/event.js'

test('an event is looked for in the words of who took part', () => {
  expect(inFirstPerson('they had a problem with their radio')).toBe('we had a problem with our radio')
  expect(inFirstPerson('She lost her keys')).toBe('I lost my keys')
  expect(inFirstPerson('the theatre closed')).toBe('the theatre closed')
})

describe('a text denies an event', () => {
  const terms = new Set(['problem', 'leak'])

  test.each([
    'No problem.',
    'Okay, no problem at all.',
    'There was never a leak.',
    'No big problem, no leak',
  ])('%s', (text) => {
    expect(denies(text, terms)).toBe(true)
  })

  test.each([
    "We've had a problem.",
    'No, from our problem.',
    'No problem with the pump, but a leak in the tank.',
    'Nobody answered.',
    '',
  ])('but not: %s', (text) => {
    expect(denies(text, terms)).toBe(false)
  })
})

describe('the episodes that tell of an event', () => {
  const texts = ['No problem.', 'Roger.', "We've had a problem.", 'The stove is warm.', 'A leak was the problem.']
  const coverages = [1, 0, 1, 0.1, 0.9]
  const deps = {
    search: async () => ({
      found: coverages.map((coverage, slot) => ({ slot, coverage, meaning: slot === 3 ? 0.4 : 0 })),
      confidence: (i: number, rank: number) => coverages[i] / (1 + rank),
    }),
    textsOf: async (slots: readonly number[]) => slots.map((slot) => texts[slot]),
  }

  it('are those that share words or meaning with it, and none that denies it, ranked among themselves', async () => {
    expect(await toldOf('the problem', deps)).toEqual([
      { slot: 2, confidence: 1 },
      { slot: 3, confidence: 0.05 },
      { slot: 4, confidence: 0.3 },
    ])
  })

  it('are those that deny it where the cue does', async () => {
    expect((await toldOf('there was no problem', deps)).map(({ slot }) => slot)).toEqual([0, 2, 3, 4])
  })

  it('are none where the storage has gone on without them', async () => {
    expect(await toldOf('the problem', { ...deps, search: async () => ({ found: [], confidence: () => 1 }) })).toEqual(
      [],
    )
  })
})
