import type { Episode, EpisodeId, EpisodeVersion } from '../../api/episode.js'
import { button, element } from '../dom/element.js'
import { short, time } from '../dom/format.js'
import type { Desk } from '../view.js'
import { patchBetween } from './patch.js'

/** What a memory said before, and what replaced what. `undefined` where nothing happened to it. */
export async function history(
  desk: Desk,
  episode: Episode,
  go: (id: EpisodeId) => void,
): Promise<HTMLElement | undefined> {
  const { db } = desk
  const { id, superseded } = episode
  const [versions, events] = await Promise.all([
    episode.updatedAt === undefined ? [] : db.history(id),
    db.whatDidILearn(0, { kinds: ['episodeSuperseded'], subject: id }),
  ])
  const earlier = events.flatMap((event) => (event.kind === 'episodeSuperseded' && event.by === id ? [event] : []))
  const link = async (to: EpisodeId) => {
    const other = await db.getEpisode(to)
    return button(short(other?.text ?? to), `go ${to}`, () => go(to), { class: 'link' })
  }
  const items = [
    ...(superseded === undefined
      ? []
      : [element('li', {}, `Since ${time(superseded.at)} replaced by: `, await link(superseded.by))]),
    ...(await Promise.all(
      earlier.map(async (event) =>
        element('li', {}, `Since ${time(event.validTo)} in place of: `, await link(event.episode)),
      ),
    )),
    ...[...versions].reverse().map((version) => versionItem(desk, episode, version)),
  ]
  if (items.length === 0) return undefined
  return element(
    'section',
    { 'aria-labelledby': 'history-title' },
    element('h3', { id: 'history-title' }, 'History'),
    element('ol', { class: 'past' }, ...items),
  )
}

function versionItem(desk: Desk, now: Episode, { version, from, to, episode }: EpisodeVersion): HTMLElement {
  if (to === undefined) return element('li', {}, `Version ${version}, since ${time(from)}: as it is now.`)
  const restore = async () => {
    const isDone = await desk.act(() => desk.db.update(now.id, patchBetween(now, episode)))
    if (isDone) desk.say(`Version ${version} is back.`)
  }
  return element(
    'li',
    {},
    `Version ${version}, ${time(from)} to ${time(to)}:`,
    element('blockquote', {}, episode.text),
    desk.isReadOnly
      ? undefined
      : button(`Restore version ${version}`, `version ${version}`, () => void restore(), { class: 'quiet' }),
  )
}
