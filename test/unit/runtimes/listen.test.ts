import { expect, test } from 'vitest'
import { Agidb as edge } from '../../../src/runtimes/edge/index.js'
import { Agidb as node } from '../../../src/runtimes/node/index.js'

test.each([
  ['Node', node],
  ['the edge', edge],
])('on %s nothing is listened to, and the error says what to do instead', async (_, place) => {
  const db = await place.open({ storage: 'memory' })
  for (const memory of [db, db.scope({ user: 'ann' })])
    await expect(memory.listen({ getTracks: () => [] })).rejects.toMatchObject({
      code: 'AGIDB_UNSUPPORTED',
      message: expect.stringMatching(/only a page has.*observeSensory/),
    })
  await db.close()
})
