import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { askedSequence } from '../../../../src/recall/sequence/asked.js'
import { mayAskOrder } from '../../../../src/recall/sequence/gate.js'

describe('a cue that asks for an order in time', () => {
  test.each([
    ['What happened right after the launch?', 'after', 'the launch', true],
    ['what did she say before the launch', 'before', 'the launch', false],
    ['What was said just before the problem?', 'before', 'the problem', true],
    ['Before we moved, what did she sell?', 'before', 'we moved', false],
    ['After the storm what did they mend?', 'after', 'the storm', false],
    ['What came next after the second alarm?', 'after', 'the second alarm', true],
    ['What has she painted since the exhibition?', 'after', 'the exhibition', false],
    ['What did they say immediately following the landing?', 'after', 'the landing', true],
  ])('%s: %s %s', (cue, relation, event, near) => {
    expect(askedSequence(cue)).toMatchObject({ relation, events: [event], near })
  })

  test.each([
    ['What was the last request before the problem?', 'before', 'last'],
    ['What was the first thing he did after the race?', 'after', 'first'],
    ['When did Ann last see the otter?', 'alone', 'last'],
    ['Who first noticed the smoke?', 'alone', 'first'],
    ['When was the last time we met?', 'alone', 'last'],
    ['When did they try it for the first time?', 'alone', 'first'],
  ])('%s: %s, %s', (cue, relation, ordinal) => {
    expect(askedSequence(cue)).toMatchObject({ relation, ordinal })
  })

  it('names two events between which something happened', () => {
    expect(askedSequence('What did they discuss between the cake and the vet?')).toMatchObject({
      relation: 'between',
      events: ['the cake', 'the vet'],
      rest: 'What did they discuss?',
    })
  })

  it('is left over without its event and its words of order', () => {
    expect(askedSequence('What did Ann say right after the toast?')!.rest).toBe('What did Ann say?')
    expect(askedSequence('When did Ann last see the otter?')!.rest).toBe('When did Ann see the otter?')
  })
})

describe('a cue that asks for none', () => {
  test.each([
    'Who looks after the dog?',
    'After whom was the baby named?',
    'Who was she named after?',
    'What did Ann do two days after the race?',
    'What did Ann do the week before the race?',
    'How many weeks passed between the race and the move?',
    'What is the difference between the race and the walk?',
    'How hot was it before and after the swap?',
    'What is her first name?',
    'Who won first place?',
    'What did she do last week?',
    'When did she finish her first book?',
    'How did it change his view on following dreams?',
    'What happened after that?',
    'What happened before?',
    'Was it before or after the move?',
  ])('%s', (cue) => {
    expect(askedSequence(cue)).toBeUndefined()
  })
})

describe('laws', () => {
  const words = fc.constantFrom(
    ...'after before between since right just next first last the and or what did she , ? launch time following'.split(
      ' ',
    ),
    'up to',
    'prior to',
  )
  const cues = fc.oneof(
    fc.array(words, { maxLength: 30 }).map((all) => all.join(' ')),
    fc.string({ unit: 'binary', maxLength: 200 }),
  )

  it('a cue that the gate keeps out asks for no order', () => {
    void fc.assert(fc.property(cues, (cue) => mayAskOrder(cue) || askedSequence(cue) === undefined))
  })

  it('events and the rest are never empty of the cue: each is made of its words', () => {
    void fc.assert(
      fc.property(cues, (cue) => {
        const asked = askedSequence(cue)
        if (asked === undefined) return
        for (const event of asked.events) expect(cue).toContain(event)
        for (const event of asked.events) expect(event.trim()).not.toBe('')
        expect(asked.events).toHaveLength(asked.relation === 'between' ? 2 : asked.relation === 'alone' ? 0 : 1)
      }),
    )
  })

  it('a long cue is read in a time that grows with its length', () => {
    const cue = 'the first between and after before '.repeat(3_000)
    const started = performance.now()
    askedSequence(cue)
    const once = performance.now() - started
    askedSequence(cue.repeat(4))
    const fourTimes = performance.now() - started - once
    expect(fourTimes).toBeLessThan(100 * Math.max(once, 1))
  })
})
