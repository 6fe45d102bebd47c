import { expect } from 'vitest'
import type { Engine } from '../../../src/engine/engine.js'
import type { EngineOptions } from '../../../src/engine/options.js'
import { openMemory } from './open.js'

/**
 * Expects that a memory from which the episode `secret` was unlearned answers as a twin that never had it, and as
 * before once it is restored.
 *
 * @param story fills a memory, with that episode or without it.
 */
export async function expectForgotten(
  encoders: EngineOptions['encoders'],
  story: (db: Engine, withSecret: boolean) => Promise<void>,
  answers: (db: Engine) => Promise<unknown>,
): Promise<void> {
  const [db, twin] = [await openMemory({ encoders }), await openMemory({ encoders })]
  await story(db, true)
  await story(twin, false)
  const before = await answers(db)
  const { auditId } = await db.unlearn({ episode: 'secret' }, 'asked for')
  expect(await answers(db)).toEqual(await answers(twin))
  await db.restoreWithinWindow(auditId!)
  expect(await answers(db)).toEqual(before)
  await Promise.all([db.close(), twin.close()])
}
