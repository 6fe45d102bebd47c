import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { GlinerOptions } from 'agidb/gliner'
import { expect, test } from 'vitest'
import { MODELS, TEXTS } from '../unit/models/gliner/models.js'
import { denoBinary } from './deno-binary.js'
import { entitiesOf } from './gliner.ts'

test('GLiNER models find in Deno what they find in Node, and ask no server', async () => {
  // A thread each would load ONNX Runtime each time.
  const options = Object.values(MODELS).map(
    (files, i): GlinerOptions => ({ ...files, ...(i > 0 && { worker: false }) }),
  )
  const node: unknown[] = []
  for (const one of options) node.push(await entitiesOf(one, TEXTS))
  for (const entities of node) expect((entities as unknown[][]).flat().length).toBeGreaterThan(5)
  const { stdout } = await promisify(execFile)(denoBinary(), [
    'run',
    '--no-lock',
    '--no-remote',
    '--cached-only',
    '--allow-read',
    '--allow-env',
    '--allow-sys',
    '--deny-net',
    fileURLToPath(new URL('deno-gliner.ts', import.meta.url)),
    JSON.stringify(options),
    JSON.stringify(TEXTS),
  ])
  expect(JSON.parse(stdout)).toEqual(node)
})
