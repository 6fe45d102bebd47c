import type { Agidb, Concept, ConceptStatement } from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { counted, time } from '../format.js'
import { press } from '../mind/form.js'

/** Statements of a list, and episodes, that are shown. */
const STATEMENTS = 20
const EPISODES = 5

/** Why a statement is not true any more, in words. */
const ENDS = { superseded: 'superseded', ended: 'over', replaced: 'replaced by a newer one', denied: 'denied later' }

/** Everything about a concept; `open` is called with the name of a neighbour that is pressed. */
export async function about(db: Agidb, concept: Concept, open: (name: string) => void): Promise<HTMLElement[]> {
  const { name, type, aliases, statements, past, beliefs, goals, episodes, episodeCount, neighbours } = concept
  const known = [type, aliases.length > 0 ? `also ${aliases.join(', ')}` : undefined].filter(
    (part) => part !== undefined,
  )
  const said = await Promise.all(episodes.slice(0, EPISODES).map((id) => db.getEpisode(id)))
  return [
    element('h3', {}, name),
    ...(known.length > 0 ? [element('p', { class: 'note' }, known.join('; '))] : []),
    ...section('True now', statements.slice(0, STATEMENTS).map(statement)),
    ...section('True before', past.slice(0, STATEMENTS).map(statement)),
    ...section(
      'Believed',
      beliefs.map(({ claim }) => claim),
    ),
    ...section(
      'Wanted',
      goals.map(({ description }) => description),
    ),
    ...neighboursOf(neighbours, open),
    ...section(
      counted(episodeCount, 'memory names it', 'memories name it'),
      said.flatMap((episode) => (episode === undefined ? [] : `${episode.speaker ?? ''} ${episode.text}`.trim())),
    ),
  ]
}

function statement({ subject, predicate, object, from, end }: ConceptStatement): string {
  const ended = end === undefined ? '' : ` (${ENDS[end.why]})`
  return `${subject} ${predicate} ${object}, since ${time(from)}${ended}`
}

function section(title: string, lines: readonly string[]): HTMLElement[] {
  if (lines.length === 0) return []
  return [element('h4', {}, title), element('ul', {}, ...lines.map((line) => element('li', {}, line)))]
}

function neighboursOf(neighbours: Concept['neighbours'], open: (name: string) => void): HTMLElement[] {
  if (neighbours.length === 0) return []
  const items = neighbours.slice(0, STATEMENTS).map(({ name }) =>
    element(
      'li',
      {},
      press(name, `neighbour ${name}`, () => open(name)),
    ),
  )
  return [element('h4', {}, 'Beside it'), element('ul', { class: 'names' }, ...items)]
}
