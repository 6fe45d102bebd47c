import { Findings } from '../api/findings.js'
import type { ProblemCode, VerifyReport } from '../api/verify.js'
import { decodeEpisode, episodeKind } from '../records/kinds/episode.js'
import { versionKind } from '../records/kinds/version.js'
import { RECORD_KINDS } from '../records/registry.js'
import type { Indexes } from '../indexes/indexes.js'
import type { EngineContext } from './context.js'
import type { StorageMaintenance, StoredEpisode, VerifyVisitor } from '../api/storage.js'

/** Checks of every stored episode, and of its earlier versions, that its row can be decoded. */
export class RowCheck {
  readonly #findings: Findings
  readonly #ids = new Map<number, string>()

  constructor(findings: Findings) {
    this.#findings = findings
  }

  visit({ slot, id, row }: StoredEpisode): void {
    const kind = RECORD_KINDS.find(row)
    if (kind !== episodeKind && kind !== versionKind) return
    if (kind === episodeKind) this.#ids.set(slot, id)
    try {
      if ((kind === episodeKind ? decodeEpisode(row) : versionKind.decode(row)).id === id) return
    } catch {
      // Falls through.
    }
    this.#findings.add('row-unreadable', 'loss', `the row of the memory ${id} in slot ${slot} cannot be understood`, {
      slot,
      id,
    })
  }

  /** Compares what is stored with what recall finds. */
  compare({ catalog }: Indexes): void {
    let different = Math.max(0, catalog.size - this.#ids.size)
    for (const [slot, id] of this.#ids) if (catalog.slot(id) !== slot) different++
    if (different === 0) return
    const message =
      'what recall searches is not made of the memories that are stored; close the database and open it again'
    this.#findings.add(
      'index-differs',
      'mendable',
      message,
      { stored: this.#ids.size, indexed: catalog.size },
      different,
    )
  }
}

/** The report of what was found. */
export function reportOf(findings: Findings, mended: readonly ProblemCode[] = []): VerifyReport {
  const { problems, checked } = findings
  return {
    ok: problems.every(({ harm, code }) => harm === 'none' || mended.includes(code)),
    problems,
    checked: { ...checked },
    mended,
  }
}

/** Looks for what is wrong and, to `repair` it, makes again what another copy has. */
export async function verified(
  {
    indexes,
    signatureLoader,
    storage: { maintenance },
    writer,
  }: Pick<EngineContext, 'indexes' | 'signatureLoader' | 'storage' | 'writer'>,
  repair: boolean,
  keep: () => Promise<void>,
): Promise<VerifyReport> {
  await signatureLoader.finish() // from the checkpoint, which a repair may take away
  const findProblems = () => writer.still(() => verify(maintenance, indexes))
  const found = await findProblems()
  if (!repair || found.problems.length === 0) return reportOf(found)
  const codes = found.problems.map(({ code }) => code)
  await writer.still(async () => maintenance?.repair(codes))
  await keep()
  const left = await findProblems()
  return reportOf(
    found,
    codes.filter((code) => !left.has(code)),
  )
}

/** Reads everything again and compares it. Nothing may be written meanwhile. */
export async function verify(maintenance: StorageMaintenance | undefined, indexes: Indexes): Promise<Findings> {
  const findings = new Findings()
  if (maintenance === undefined) return findings
  const rows = new RowCheck(findings)
  const visitor: VerifyVisitor = {
    findings,
    digest: (bytes) => indexes.kernel.digest(bytes),
    visit: (episode) => rows.visit(episode),
  }
  await maintenance.verify(visitor)
  rows.compare(indexes)
  return findings
}
