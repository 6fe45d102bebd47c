import { expect, test } from 'vitest'
import { methodAt } from '../../../src/api/method-path.js'
import { changes, METHODS, specOf } from '../../../src/api/registry.js'
import { openMemory } from '../engine/open.js'

test('the engine has every method of the registry', async () => {
  const db = await openMemory()
  for (const method of Object.keys(METHODS)) expect(typeof methodAt(db, method), method).toBe('function')
  await db.close()
})

test('every reread of a repeated call names a method that reads', () => {
  const reread = Object.values(METHODS).flatMap(({ repeated }) => (typeof repeated === 'object' ? repeated.reread : []))
  expect(reread.length).toBeGreaterThan(0)
  for (const method of reread) expect(specOf(METHODS, method)?.effect).toBe('reads')
})

test('every repeated call of a goal or procedure that changes it answers with it as it is then', () => {
  for (const method of ['reviseGoal', 'pauseGoal', 'resumeGoal', 'completeGoal', 'abandonGoal'] as const)
    expect(METHODS[method].repeated).toEqual({ reread: 'getGoal' })
  for (const method of ['reviseProcedure', 'retireProcedure', 'recordExecution'] as const)
    expect(METHODS[method].repeated).toEqual({ reread: 'getProcedure' })
})

test('a name that every object inherits is no method and changes nothing', () => {
  for (const name of ['constructor', '__proto__', 'toString', 5, undefined])
    expect(specOf(METHODS, name)).toBeUndefined()
  expect(changes('constructor', [])).toBe(false)
})
