import type { EpisodeId } from '../../api/episode.js'
import type { Database } from '../../api/scope.js'
import { button, element } from '../dom/element.js'
import { short } from '../dom/format.js'
import { leads } from './path.js'

const SHOWN = 10

/** The memories near one in the graphs, and by what. */
export async function neighbours(
  db: Database,
  id: EpisodeId,
  go: (id: EpisodeId) => void,
): Promise<HTMLElement | undefined> {
  const near = await db.graph.neighbours(id, { k: SHOWN })
  const episodes = await Promise.all(near.map((one) => db.getEpisode(one.id)))
  const known = new Set([id, ...near.map((one) => one.id)])
  const items = near.flatMap(({ id: to, why }, i) => {
    const episode = episodes[i]
    if (episode === undefined) return []
    const said = episode.speaker === undefined ? episode.text : `${episode.speaker}: ${episode.text}`
    return [
      element(
        'li',
        {},
        button(short(said), `near ${to}`, () => go(to), { class: 'link' }),
        element('span', { class: 'note' }, ` ${leads(why, (end) => known.has(end) || end.startsWith('ep_'))}`),
      ),
    ]
  })
  if (items.length === 0) return undefined
  return element(
    'section',
    { 'aria-labelledby': 'near-title' },
    element('h3', { id: 'near-title' }, 'What is near it'),
    element('ul', { class: 'near' }, ...items),
  )
}
