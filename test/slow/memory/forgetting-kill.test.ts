import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const KILLER = fileURLToPath(new URL('../../crash/forgetting-kill.ts', import.meta.url))

test('a process that is killed while it forgets leaves all of each call or nothing', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', KILLER, '--runs', '4'])
  expect(stdout).toMatch(/4 kills; .* none in part, none undone/)
}, 240_000)
