import type { Agidb, ConsolidationReport, SemanticAtom } from '../../src/runtimes/browser/index.js'
import { AgidbError } from '../../src/runtimes/browser/index.js'
import { bar } from '../bar.js'
import { element } from '../element.js'
import { count, counted, percent } from '../format.js'
import type { Panel, Setting } from './panel.js'
import { renew } from './renew.js'
import { said } from './said.js'

/** Atoms that are shown, the best supported, and those that contradictions are looked up in. */
const SHOWN = 20
const LOOKED_UP = 500
/** Episodes of an atom that are shown. */
const SOURCES = 6

/** What several episodes say. */
export function knowledgePanel({ db, act }: Setting): Panel {
  const consolidate = element('button', { type: 'button' }, 'Consolidate')
  const stop = element('button', { type: 'button', class: 'quiet', hidden: '' }, 'Stop')
  const progress = element('progress', { max: '1', value: '0', 'aria-label': 'Consolidating', hidden: '' })
  const report = element('p', { class: 'note', role: 'status' })
  const list = element('ul', { class: 'items' })
  const more = element('p', { class: 'note' })

  const busy = (is: boolean) => {
    const hadFocus = document.activeElement === (is ? consolidate : stop)
    consolidate.disabled = is
    stop.hidden = progress.hidden = !is
    if (hadFocus) (is ? stop : consolidate).focus()
  }
  const run = async (signal: AbortSignal) => {
    try {
      const done = await db.consolidate({
        signal,
        onProgress: ({ done, total }) => {
          progress.value = total === undefined || total === 0 ? 0 : done / total
          const all = total === undefined ? '' : ` of ${count(total)}`
          report.textContent = counted(done, 'episode', 'episodes') + all
        },
      })
      report.textContent = summarise(done)
    } catch (error) {
      if (!(error instanceof AgidbError && error.code === 'AGIDB_ABORTED')) throw error
      report.textContent = 'Stopped. What was consolidated by then stays; the next time goes on from there.'
    }
  }
  consolidate.addEventListener('click', () => {
    const controller = new AbortController()
    stop.onclick = () => controller.abort()
    progress.value = 0
    report.textContent = ''
    busy(true)
    void act(() => run(controller.signal)).finally(() => busy(false))
  })

  return {
    name: 'Knowledge',
    about: 'What several memories say alike, without the occasions on which they did.',
    body: [element('div', { class: 'run' }, consolidate, stop, progress), report, list, more],
    count: ({ atoms }) => atoms,
    show: async () => {
      const atoms = await db.semanticAtoms({ limit: LOOKED_UP })
      const { atoms: all } = await db.stats()
      const statements = new Map(atoms.map(({ id, statement }) => [id, statement]))
      renew(list, ...atoms.slice(0, SHOWN).map((atom) => item(db, atom, statements)))
      more.textContent = all > SHOWN ? `And ${count(all - SHOWN)} more, with less support.` : ''
    },
  }
}

function summarise({ episodes, atomsFormed, atomsRevised, contradictions, drift }: ConsolidationReport): string {
  if (episodes === 0) return 'There was nothing new to consolidate.'
  const found = [
    counted(atomsFormed.length, 'piece of knowledge formed', 'pieces of knowledge formed'),
    `${count(atomsRevised.length)} made firmer`,
    counted(contradictions.length, 'contradiction found', 'contradictions found'),
  ]
  return (
    `${counted(episodes, 'episode', 'episodes')} read: ${found.join(', ')}; it drifted by ` +
    `${counted(drift, 'bit', 'bits')}.`
  )
}

function item(db: Agidb, atom: SemanticAtom, statements: ReadonlyMap<string, string>): HTMLLIElement {
  const { id, statement, support, confidence, contradictedBy } = atom
  return element(
    'li',
    { 'data-item': id },
    element(
      'div',
      { class: 'item' },
      element('span', { class: 'text' }, statement),
      element('span', { class: 'measure' }, bar(confidence), element('span', { class: 'share' }, percent(confidence))),
    ),
    ...contradictedBy.map((other) =>
      element('p', { class: 'against' }, `Contradicted by: ${statements.get(other) ?? 'something with less support'}`),
    ),
    sources(db, id, atom.provenance.episodes, support),
  )
}

/** The episodes that say it, fetched when they are asked for. */
function sources(db: Agidb, id: string, ids: readonly string[], support: number): HTMLElement {
  const list = element('ul')
  const details = element(
    'details',
    { class: 'past', 'data-key': `sources ${id}` },
    element('summary', {}, `${counted(support, 'episode says', 'episodes say')} so`),
    list,
  )
  details.addEventListener(
    'toggle',
    () => {
      void Promise.all(ids.slice(0, SOURCES).map((source) => db.getEpisode(source))).then((episodes) => {
        list.replaceChildren(
          ...episodes.map((episode) => element('li', {}, episode === undefined ? 'forgotten' : said(episode))),
        )
        if (ids.length > SOURCES)
          list.append(element('li', { class: 'note' }, `and ${count(ids.length - SOURCES)} more`))
      })
    },
    { once: true },
  )
  return details
}
