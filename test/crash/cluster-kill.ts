import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runCluster } from './cluster.js'

/**
 * Kills the owner of a folder that four processes share, again and again: `npm run test:crash:cluster -- --kills 100`.
 */

const { values } = parseArgs({ options: { kills: { type: 'string', default: '20' } } })
const folder = mkdtempSync(join(tmpdir(), 'agidb-cluster-'))
const report = await runCluster(folder, Number(values.kills))
console.log(JSON.stringify(report))
if (report.lost.length + report.twice.length + report.refused > 0) process.exitCode = 1
else rmSync(folder, { recursive: true, force: true })
