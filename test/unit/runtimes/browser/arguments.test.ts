import { expect, test } from 'vitest'
import { Agidb, type BrowserOptions } from '../../../../src/runtimes/browser/index.js'

test.each<[string, unknown]>([
  ['a number', 5],
  ['an object', {}],
  ['a path', 'engine.js'],
  ['a URL', new URL('https://example.com/engine.js')],
  ['a function that gives a number', () => 5],
  ['a function that gives nothing', () => undefined],
  ['a function that gives a promise', async () => ({})],
])('a worker that is %s is refused as a wrong argument', async (_, worker) => {
  const refused = { code: 'AGIDB_INVALID_ARGUMENT', details: { option: 'worker' } }
  const options = { name: 'x', worker: worker as BrowserOptions['worker'] }
  await expect(Agidb.open(options)).rejects.toMatchObject(refused)
  await expect(Agidb.salvage(options)).rejects.toMatchObject(refused)
})

test('a name with half of a surrogate pair is refused as a wrong argument', async () => {
  const refused = { code: 'AGIDB_INVALID_ARGUMENT', details: { option: 'name' } }
  await expect(Agidb.open({ name: 'ab\ud800' })).rejects.toMatchObject(refused)
  await expect(Agidb.salvage({ name: 'ab\ud800' })).rejects.toMatchObject(refused)
})
