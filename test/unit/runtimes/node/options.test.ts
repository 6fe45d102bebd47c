import { expect, test } from 'vitest'
import { Agidb } from '../../../../src/runtimes/node/index.js'

test('the name of a database in a browser is answered with what to give in Node', async () => {
  await expect(Agidb.open({ name: 'my-agent' } as never)).rejects.toMatchObject({
    code: 'AGIDB_UNKNOWN_OPTION',
    message: expect.stringContaining("open({ path: './memory.agidb' })"),
    details: { option: 'name' },
  })
})

test('other options that are not known are named with those that are', async () => {
  await expect(Agidb.open({ path: 'x', writers: 'ann' } as never)).rejects.toMatchObject({
    code: 'AGIDB_UNKNOWN_OPTION',
    message: expect.stringContaining('writer'),
  })
})
