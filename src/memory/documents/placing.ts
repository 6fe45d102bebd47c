import type { EntryPlace } from '../../api/entry-facet.js'
import type { Episode } from '../../api/episode.js'
import { provenanceOf } from '../../records/provenance.js'

/** An entry with other places in one of its documents. */
export function withPlaces(episode: Episode, source: string, places: readonly EntryPlace[]): Episode {
  const facet = episode.entry!
  const elsewhere = facet.places.filter((place) => place.source !== source)
  const isFirst = facet.places[0]?.source === source
  const all = isFirst ? [...places, ...elsewhere] : [...elsewhere, ...places]
  const document = all[0]?.source
  const placed: Episode = {
    ...episode,
    // Its neighbours in recall are those of its first place.
    ...(document !== undefined && { source: document, ...(episode.session !== undefined && { session: document }) }),
    entry: { ...facet, places: all },
  }
  return { ...placed, provenance: provenanceOf(placed, episode.provenance.writer) }
}

/** An entry that stands in its document again, if it was superseded or ended. */
export function standing({ superseded: _, validTo: __, ...episode }: Episode): Episode {
  return episode
}

/** An entry that was superseded or ended, standing where it is put now, which may be nowhere, not where it stood. */
export function standingAnew(episode: Episode, place: EntryPlace | undefined): Episode {
  const facet = episode.entry!
  if (place === undefined && facet.places.length === 0) return standing(episode)
  const { source: _, session, ...rest } = standing(episode)
  const anew: Episode = {
    ...rest,
    ...(place !== undefined && { source: place.source, ...(session !== undefined && { session: place.source }) }),
    entry: { ...facet, places: place === undefined ? [] : [place] },
  }
  return { ...anew, provenance: provenanceOf(anew, episode.provenance.writer) }
}
