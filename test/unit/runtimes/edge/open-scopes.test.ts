import { expect, test } from 'vitest'
import type { Engine } from '../../../../src/engine/engine.js'
import { OpenScopes } from '../../../../src/runtimes/edge/open-scopes.js'
import { openMemory } from '../../engine/open.js'

/** Scopes whose engines are in main memory, and how many were opened. */
function scopes(open: () => Promise<Engine> = openMemory) {
  const opened: string[] = []
  const all = new OpenScopes((scope) => {
    opened.push(scope)
    return open()
  })
  return { all, opened }
}

test('an engine is opened once for all who use it, and closed after the last', async () => {
  const { all, opened } = scopes()
  const [first, second] = await Promise.all([all.use('a'), all.use('a')])
  expect(first.engine).toBe(second.engine)
  await first.release()
  await first.release()
  await second.engine.observe('The garden has roses.')
  await second.release()
  await expect(second.engine.observe('a text')).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
  expect(opened).toEqual(['a'])
})

test('who asks for it while it is closing gets another, once it is closed', async () => {
  const { all, opened } = scopes()
  const first = await all.use('a')
  const closing = first.release()
  const [second, third] = await Promise.all([all.use('a'), all.use('a')])
  await closing
  expect(second.engine).not.toBe(first.engine)
  expect(second.engine).toBe(third.engine)
  await second.engine.observe('The garden has roses.')
  await Promise.all([second.release(), third.release()])
  expect(opened).toEqual(['a', 'a'])
})

test('one that cannot be opened is tried again', async () => {
  let isFailing = true
  const { all, opened } = scopes(() => (isFailing ? Promise.reject(new Error('damaged')) : openMemory()))
  const asked = await Promise.allSettled([all.use('a'), all.use('a')])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isFailing = false
  await (await all.use('a')).release()
  expect(opened).toEqual(['a', 'a'])
})
