import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, tokens } from '../../../src/encoding/tokens.js'
import { Interner } from '../../../src/base/interner.js'
import { Speakers } from '../../../src/indexes/speakers.js'

const name = fc.oneof(
  fc.constantFrom(
    'Ann',
    'ann',
    ' Ann ',
    'Ann Lee',
    'Lee',
    'Al',
    'Zoë',
    'ZOE',
    "O'Brien",
    '李 明',
    'user',
    'The User',
    '-',
    '',
  ),
  fc.string({ maxLength: 8 }),
)

function naive(used: Iterable<string>, text: string): Set<string> {
  const words = new Set(tokens(text).map((token) => token.replace(/'s$/, '')))
  const isName = (token: string) => (/^\p{ASCII}+$/u.test(token) ? token.length >= 3 : [...token].length >= 2)
  return new Set([...used].filter((speaker) => tokens(speaker).some((token) => isName(token) && words.has(token))))
}

test('finds the speakers that are in use, and no others, by a word of their names and by the whole', () => {
  void fc.assert(
    fc.property(
      fc.array(fc.tuple(name, fc.boolean()), { maxLength: 30 }),
      fc.array(name, { maxLength: 4 }),
      (steps, asked) => {
        const speakers = new Speakers()
        const interner = new Interner(speakers)
        const used = new Map<string, number>()
        for (const [one, add] of steps) {
          if (add) {
            interner.add(one)
            used.set(one, (used.get(one) ?? 0) + 1)
          } else if (used.has(one)) {
            interner.remove(interner.find(one)!)
            if (used.get(one) === 1) used.delete(one)
            else used.set(one, used.get(one)! - 1)
          }
        }
        const reopened = new Speakers()
        const parts = new Map()
        interner.save(parts, 'speakers')
        new Interner(reopened).load(parts, 'speakers')
        const text = `What did ${asked.join(' and ')}'s friends say?`
        for (const found of [speakers, reopened]) {
          expect(found.named(text)).toEqual(naive(used.keys(), text))
          for (const one of asked)
            expect(new Set(found.called(one))).toEqual(
              new Set([...used.keys()].filter((speaker) => fold(speaker).trim() === fold(one).trim())),
            )
          expect(found.bytes > 0).toBe(used.size > 0)
        }
      },
    ),
  )
})
