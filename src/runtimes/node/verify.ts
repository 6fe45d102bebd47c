import { Findings } from '../../api/findings.js'
import type { VerifyOptions, VerifyReport } from '../../api/verify.js'
import { reportOf, RowCheck } from '../../engine/verify.js'
import { salvageFolder, verifyFolder } from '../../storage/adapters/node/node.js'
import { nodeKernel, openNode } from './engine.js'

/** Of a journal that cannot be opened as it is. */
const DAMAGES = ['journal-header', 'journal-damaged', 'journal-gap', 'journal-misfit', 'journal-missing'] as const

/**
 * Looks at a memory in a folder that nobody has open, even at one that cannot be opened or written to. Changes nothing,
 * unless `repair` is set: then what can be read of a damaged journal becomes the journal, the damaged one is kept
 * beside it, and all that can be made again is.
 *
 * @throws AgidbError `AGIDB_IN_USE`; `AGIDB_FOREIGN_FILE`; `AGIDB_NEWER_FORMAT`; `AGIDB_STORAGE`
 */
export async function verifyPath(path: string, { repair = false }: VerifyOptions = {}): Promise<VerifyReport> {
  const found = await findProblems(path)
  if (!repair || found.problems.length === 0) return reportOf(found)
  if (found.has(...DAMAGES)) await salvageFolder(path)
  const db = await openNode({ path })
  try {
    await db.verify({ repair: true })
  } finally {
    await db.close()
  }
  const left = await findProblems(path)
  return reportOf(
    found,
    found.problems.map(({ code }) => code).filter((code) => !left.has(code)),
  )
}

async function findProblems(path: string): Promise<Findings> {
  const findings = new Findings()
  const rows = new RowCheck(findings)
  const kernel = await nodeKernel()
  await verifyFolder(path, {
    findings,
    digest: (bytes) => kernel.digest(bytes),
    visit: (episode) => rows.visit(episode),
  })
  return findings
}
