import { fileURLToPath } from 'node:url'
import type { GlinerOptions } from 'agidb/gliner'
import { expect, test } from 'vitest'
import { MODELS, TEXTS } from '../unit/models/gliner/models.js'
import { OFFLINE, runDeno } from './run-deno.js'
import { entitiesOf } from './gliner.ts'

test('GLiNER models find in Deno what they find in Node, and ask no server', async () => {
  // A thread each would load ONNX Runtime each time.
  const options = Object.values(MODELS).map(
    (files, i): GlinerOptions => ({ ...files, ...(i > 0 && { worker: false }) }),
  )
  const node: unknown[] = []
  for (const one of options) node.push(await entitiesOf(one, TEXTS))
  for (const entities of node) expect((entities as unknown[][]).flat().length).toBeGreaterThan(5)
  const deno = await runDeno([
    ...OFFLINE,
    fileURLToPath(new URL('deno-gliner.ts', import.meta.url)),
    JSON.stringify(options),
    JSON.stringify(TEXTS),
  ])
  expect(JSON.parse(deno)).toEqual(node)
})
