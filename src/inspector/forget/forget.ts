import type { Episode, EpisodeId } from '../../api/episode.js'
import type { CascadeNode, UnlearnReport, UnlearnTarget } from '../../api/forgetting.js'
import type { Database } from '../../api/scope.js'
import { element, field } from '../dom/element.js'
import { day, problem, short } from '../dom/format.js'
import type { Desk } from '../view.js'
import { type CascadeGroup, groupsOf } from './cascade.js'
import { countsInWords, fateOf, kindWords } from './words.js'

/** Why, where nothing is forgotten. */
const DRY = 'to see what depends on it'
/** Things of a group that are named. */
const NAMED = 4

/** Shows what would go with a memory, and forgets it when the person says so. */
export async function forget(desk: Desk, id: EpisodeId): Promise<void> {
  const { db } = desk
  const episode = await db.getEpisode(id)
  if (episode === undefined) return desk.say('This memory is not there any more.')
  const targets = targetsOf(episode)
  const what = element(
    'select',
    { 'data-key': 'what' },
    ...targets.map(([label], i) => element('option', { value: `${i}` }, label)),
  )
  const reason = element('input', { required: '', autocomplete: 'off', autofocus: '' })
  const cascade = element('div', { class: 'cascade', role: 'status' })
  let looking = 0
  let report: UnlearnReport | undefined
  const target = () => targets[Number(what.value)][1]
  const look = async () => {
    const mine = ++looking
    dialog.ready(false)
    cascade.replaceChildren(element('p', { class: 'note' }, 'Looking for what depends on it.'))
    try {
      const found = await db.unlearn(target(), DRY, { dryRun: true })
      const parts = await cascadeParts(db, found)
      if (mine !== looking) return
      cascade.replaceChildren(...parts)
      dialog.ready(true)
    } catch (error) {
      if (mine === looking) cascade.replaceChildren(problem(error))
    }
  }
  const dialog = desk.ask({
    title: 'Forget',
    yes: 'Forget',
    isDanger: true,
    body: [
      element('blockquote', {}, short(episode.text, 240)),
      targets.length === 1 ? undefined : field('What is forgotten', what),
      cascade,
      field('Reason', reason, 'Kept for good, so name nothing in it that is to be forgotten'),
    ],
    act: async () => {
      report = await db.unlearn(target(), reason.value)
    },
  })
  what.addEventListener('change', () => void look())
  await look()
  if (!(await dialog.done) || report === undefined) return
  const { auditId } = report
  desk.say(
    `Forgotten: ${countsInWords(report)}.`,
    auditId === undefined ? undefined : { label: 'Undo', act: () => void restore(desk, auditId) },
  )
}

/** Takes an unlearning back. */
export async function restore(desk: Desk, auditId: string): Promise<void> {
  await desk.act(async () => {
    const { episodesRestored } = await desk.db.restoreWithinWindow(auditId)
    desk.say(episodesRestored === 1 ? '1 memory is back.' : `${episodesRestored} memories are back.`)
  })
}

function targetsOf({ id, speaker, session, source }: Episode): (readonly [label: string, target: UnlearnTarget])[] {
  return [
    ['This memory', { episode: id }],
    ...(speaker === undefined ? [] : [[`All that ${speaker} said`, { speaker }] as const]),
    ...(session === undefined ? [] : [[`All of the session ${session}`, { session }] as const]),
    ...(source === undefined ? [] : [[`All from the source ${source}`, { source }] as const]),
  ]
}

async function cascadeParts(db: Database, report: UnlearnReport): Promise<HTMLElement[]> {
  const groups = groupsOf(report.graph)
  const [itself, rests] = [false, true].map((is) => groups.filter(({ isDependent }) => isDependent === is))
  return [
    element('h3', {}, 'What is forgotten'),
    element('ul', {}, ...(await Promise.all(itself.map((group) => groupItem(db, group))))),
    element('h3', {}, 'What rests on it'),
    rests.length === 0
      ? element('p', { class: 'note' }, 'Nothing rests on it.')
      : element('ul', {}, ...(await Promise.all(rests.map((group) => groupItem(db, group))))),
    element('p', { class: 'note' }, `It can be brought back until ${day(report.tombstoneExpiry)}.`),
  ]
}

async function groupItem(db: Database, { kind, becomes, ids }: CascadeGroup): Promise<HTMLElement> {
  const names = await Promise.all(ids.slice(0, NAMED).map((id) => nameOf(db, kind, id)))
  const known = names.filter((name) => name !== undefined)
  const left = ids.length - known.length
  return element(
    'li',
    { class: becomes },
    `${kindWords(kind, ids.length)}, ${fateOf(kind, becomes)}`,
    known.length === 0
      ? undefined
      : element(
          'ul',
          {},
          ...known.map((name) => element('li', {}, name)),
          left > 0 ? element('li', { class: 'note' }, `and ${left} more`) : undefined,
        ),
  )
}

/** What a thing says; `undefined` where it has no words that can be asked for one by one. */
async function nameOf(db: Database, kind: CascadeNode['kind'], id: string): Promise<string | undefined> {
  const text = await textOf(db, kind, id)
  return text === undefined ? undefined : short(text)
}

async function textOf(db: Database, kind: CascadeNode['kind'], id: string): Promise<string | undefined> {
  switch (kind) {
    case 'episode':
      return (await db.getEpisode(id))?.text
    case 'belief':
      return (await db.getBelief(id))?.claim
    case 'goal':
      return (await db.getGoal(id))?.description
    case 'procedure':
      return (await db.getProcedure(id))?.name
    default:
      return undefined
  }
}
