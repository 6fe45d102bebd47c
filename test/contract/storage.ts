import { applies } from '../../src/storage/contract/case.js'
import { cases } from '../../src/storage/contract/cases.js'
import type { PlaceCase } from './case.js'
import { damageCases } from './damage-cases.js'
import { erasureCases } from './erasure-cases.js'
import { randomCases } from './random-cases.js'

/** What a place of this library offers, by what it is made of. */
export const PLACES = {
  journal: { durable: true, parts: ['signatures', 'checkpoint', 'maintenance'], hasJournal: true },
  indexedDb: { durable: true, parts: ['maintenance'], hasJournal: false },
  memory: { durable: false, parts: [], hasJournal: false },
} as const

/** The cases of the contract for authors of adapters, and those that look at the files, for one of our own places. */
export function storageCases(place: (typeof PLACES)[keyof typeof PLACES]): PlaceCase[] {
  return [...cases, ...damageCases, ...erasureCases, ...randomCases].filter(({ needs }) =>
    needs === 'journal' ? place.hasJournal : applies({ needs }, place),
  )
}
