import { expect, test } from 'vitest'
import { runs } from '../runs.js'
import { random } from './mutate.js'
import { Depth, tryOne } from './target.js'
import { TARGETS } from './targets.js'

/** Inputs that once did harm, by target: seed and number. */
const KNOWN: Readonly<Record<string, readonly (readonly [seed: number, input: number])[]>> = {}

const SLOW = new Set(['import', 'messages', 'salvage'])

test.each(
  TARGETS.map((target) => [target.name, target] as const),
)('%s takes whatever it is given, or refuses it by a code, and comes far enough', async (name, target) => {
  for (const [seed, input] of KNOWN[name] ?? []) await tryOne(target, random(seed, input))
  const count = runs(SLOW.has(name) ? 60 : 600)
  const depth = new Depth(target)
  for (let input = 0; input < count; input++) {
    const probe = await tryOne(target, random(1, input)).catch((error: unknown) => {
      throw new Error(
        `input ${input} of seed 1: npm run test:fuzz -- --target ${name} --seed 1 --from ${input} --inputs 1`,
        { cause: error },
      )
    })
    depth.add(probe)
  }
  await target.end?.()
  expect(depth.shallow).toEqual([])
})
