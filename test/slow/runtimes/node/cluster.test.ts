import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCluster } from '../../../crash/cluster.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agidb-cluster-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('when the owner is killed another process takes over, and every call is answered and done once', async () => {
  const report = await runCluster(folder, 3)
  expect(report).toMatchObject({ kills: 3, refused: 0, lost: [], twice: [] })
  expect(report.acknowledged).toBeGreaterThan(300)
}, 120_000)
