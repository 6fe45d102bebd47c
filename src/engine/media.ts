import { checkId, invalid } from '../api/check.js'
import type { SenseName } from '../api/encoder.js'
import type { EpisodeId } from '../api/episode.js'
import type { KeptMedium } from '../api/sensory.js'
import { AgidbError } from '../base/errors.js'
import type { KeptMedia } from '../memory/episodes/kept-media.js'
import { mediaKind } from '../records/kinds/media.js'
import { liveSlot } from '../write/writer.js'
import type { EngineContext } from './context.js'

/** What is kept of an episode. Throws `AGIDB_NOT_FOUND` where there is no episode. */
export function listMedia({ indexes, config }: EngineContext, media: KeptMedia, id: EpisodeId): KeptMedium[] {
  checkId('id', id, config.limits)
  const pieces = media.of(liveSlot(indexes, id))
  return [...new Set(pieces.map(({ sense }) => sense))].map((sense) => {
    const own = pieces.filter((piece) => piece.sense === sense)
    return { sense, type: own[0].type, bytes: own.reduce((sum, { size }) => sum + size, 0) }
  })
}

/**
 * The bytes of a picture or sound that is kept, a piece at a time.
 *
 * @throws AgidbError `AGIDB_NOT_FOUND` where nothing of the kind is kept; the stream fails with it once it is
 * forgotten.
 */
export function mediaOf(
  context: EngineContext,
  media: KeptMedia,
  id: EpisodeId,
  sense?: SenseName,
): ReadableStream<Uint8Array> {
  const kept = listMedia(context, media, id)
  if (sense === undefined && kept.length > 1)
    throw invalid(
      `several media are kept of ${JSON.stringify(id)}; say which, ${kept.map(({ sense }) => sense).join(' or ')}`,
      { what: 'sense' },
    )
  const wanted = kept.find((one) => sense === undefined || one.sense === sense)
  const owner = context.indexes.catalog.slot(id)!
  const pieces = media.of(owner).filter((piece) => piece.sense === wanted?.sense)
  if (pieces.length === 0) throw notKept(id)
  let next = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = pieces[next++]
        const isThere = piece !== undefined && context.indexes.catalog.slot(id) === owner
        if (piece !== undefined && !isThere) throw notKept(id)
        if (piece === undefined) return controller.close()
        const [row] = await context.storage.rows.get([piece.slot])
        if (row === undefined) throw notKept(id)
        // A copy: what is given may be sent elsewhere.
        controller.enqueue(mediaKind.decode(row).bytes.slice())
      },
    },
    { highWaterMark: 0 },
  )
}

function notKept(id: EpisodeId): AgidbError {
  const message = `no such picture or sound of ${JSON.stringify(id)} is kept; observe it with keep: 'original'`
  return new AgidbError('AGIDB_NOT_FOUND', message, { id })
}
