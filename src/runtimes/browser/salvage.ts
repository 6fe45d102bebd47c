import type { Salvaged, SalvageOptions } from '../../api/salvage.js'
import { readDamaged } from '../../storage/adapters/browser/salvage.js'
import { checkExport } from '../../transfer/options.js'
import { exportSalvaged } from '../../transfer/salvaged.js'
import { streamOf } from '../../transfer/stream.js'

/** Stretches that cannot be read, of which a report tells where they are. */
const MAX_STRETCHES = 100

/** Brings out what can be read of a damaged database as an export, with a report; see `Agidb.salvage`. */
export async function salvaged({ name, passphrase, repair = false }: SalvageOptions): Promise<Salvaged> {
  checkExport({ passphrase })
  const { value, ...after } = await readDamaged(
    name,
    repair,
    async ({ databaseId, rows, copied: fromCopy, orphans, unread }) => {
      const { bytes, slots, refused, ...found } = await exportSalvaged(
        { databaseId, exportedAt: Date.now(), rows },
        { passphrase },
      )
      const memory = await new Response(streamOf(bytes, () => {})).blob()
      const report = {
        databaseId,
        fromCopy,
        ...found,
        setAside: orphans + refused,
        damages: unread.length,
        unread: unread.slice(0, MAX_STRETCHES),
      }
      return { value: { memory, report }, slots }
    },
  )
  return { ...value, ...after }
}
