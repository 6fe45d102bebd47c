import type { Caller } from '../../api/caller.js'
import type { DocumentContext } from './context.js'
import { withPlaces } from './placing.js'

/** Takes content that stands in other documents, too, out of some documents. */
export async function leaveDocuments(
  { indexes: { catalog, documents }, restate }: Pick<DocumentContext, 'indexes' | 'restate'>,
  sources: readonly string[],
  caller: Caller,
): Promise<void> {
  const ids = documents.shared(new Set(sources)).map((slot) => catalog.id(slot)!)
  if (ids.length === 0) return
  // Without the id of the call, which is done only with what it forgets after this.
  const { writer, from } = caller
  await restate({ writer, from }, ids, (episode) =>
    sources.reduce((entry, source) => withPlaces(entry, source, []), episode),
  )
}
