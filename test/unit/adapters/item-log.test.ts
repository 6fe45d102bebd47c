import { expect, test } from 'vitest'
import { ItemLog } from '../../../src/adapters/item-log.js'
import { openMemory } from '../engine/open.js'

const item = (name: string, length = 1) => {
  return { json: JSON.stringify(name.repeat(length)), text: name, speaker: 'user' }
}

test('an item of which only some pieces are left does not count among those that an operation replaces', async () => {
  const db = await openMemory({ extract: 'none' })
  const log = new ItemLog(db, { name: 'items', session: 'a', source: 'test' })
  await log.append([item('first'), item('broken', 30_000), item('last')])
  const [first, broken, last] = await log.read()
  expect(broken!.ids.length).toBeGreaterThan(1)
  await db.remove(broken!.ids.at(-1)!)
  expect(await log.read()).toEqual([first, last])
  await log.apply({ id: 'again', digest: 'd' }, [first!, last!], [item('new')])
  expect((await log.read()).map(({ json }) => json)).toEqual(['"new"'])
  await db.close()
})
