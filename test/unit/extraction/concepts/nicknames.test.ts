import { describe, expect, it } from 'vitest'
import { formalNames, isBeginning, isGivenName } from '../../../../src/extraction/concepts/nicknames.js'

describe('nicknames', () => {
  it('names what a nickname may be short for', () => {
    expect([...formalNames('mel')]).toEqual(['melanie', 'melissa', 'melinda', 'melvin'])
    expect(formalNames('bob').has('robert')).toBe(true)
    expect(formalNames('sarah').size).toBe(0)
  })

  it('knows the given names of the table, short and full', () => {
    expect(['mel', 'melanie', 'bob'].every(isGivenName)).toBe(true)
    expect(isGivenName('bawri')).toBe(false)
  })

  it('takes a beginning of three letters or more for a nickname of a name that has two more', () => {
    expect(isBeginning('caro', 'caroline')).toBe(true)
    expect(isBeginning('ca', 'caroline')).toBe(false)
    expect(isBeginning('anna', 'annas')).toBe(false)
    expect(isBeginning('line', 'caroline')).toBe(false)
  })

  it('gives no name as short for itself', () => {
    for (const name of ['alex', 'grace', 'alexandra']) expect(formalNames(name).has(name)).toBe(false)
  })
})
