import { expect, test } from 'vitest'
import { TRAIT, traitsOf } from '../../../src/encoding/traits.js'

const has = (text: string, trait: keyof typeof TRAIT) => (traitsOf(text).bits & TRAIT[trait]) !== 0

test.each<[keyof typeof TRAIT, string, string]>([
  ['question', 'Is the tank full?', 'The tank is full.'],
  ['number', 'Three tanks are full.', 'The tanks are full.'],
  ['number', 'Tank 2 is full.', 'The tank is full.'],
  ['time', 'The tank was filled yesterday.', 'The tank was filled.'],
  ['first', 'My tank is full.', 'The tank is full.'],
  ['first', 'Mein Tank ist voll.', 'Der Tank ist voll.'],
  ['second', 'Your tank is full.', 'The tank is full.'],
  ['name', 'The tank of Ann is full.', 'The tank is full.'],
  ['reason', 'The tank is empty because it leaks.', 'The tank is empty, and it leaks.'],
  ['negation', 'The tank is not full.', 'The tank is full.'],
  ['negation', 'Nobody filled the tank.', 'Somebody filled the tank.'],
  ['negation', 'Der Tank ist nicht voll.', 'Der Tank ist voll.'],
  ['negation', 'Le réservoir ne fuit jamais.', 'Le réservoir fuit toujours.'],
  ['exclamation', 'The tank is full!', 'The tank is full.'],
])('A text has the trait %s by its own words or signs alone: "%s", not "%s"', (trait, text, other) => {
  expect([has(text, trait), has(other, trait)]).toEqual([true, false])
})
