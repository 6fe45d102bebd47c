import type { Agidb, Match, UnlearnReport } from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { Cascade } from '../forget/cascade.js'
import { foldCascade } from '../forget/fold.js'
import { Names } from '../forget/names.js'
import { countsInWords } from '../forget/words.js'

const ASKED = /^\s*(?:please\s+)?forget\s+(?:that|about|what|everything about)?\s*(.+?)[.!]?\s*$/i
/** Memories that are offered. */
const OFFERED = 5

/** What a message asks to forget; `undefined` where it asks something else. */
export const toForget = (message: string): string | undefined => ASKED.exec(message)?.[1]

/**
 * Shows which memories a request to forget means, and what would go with them. Nothing is forgotten before the button
 * is pressed.
 *
 * @param done - called with the ids that were forgotten
 */
export async function forgetting(
  db: Agidb,
  about: string,
  done: (ids: readonly string[]) => void,
  report: (error: unknown) => void,
): Promise<HTMLElement> {
  const { matches } = await db.recall(about, { k: OFFERED, learn: false, fold: false })
  if (matches.length === 0) return element('p', {}, 'There is nothing to forget.')
  const boxes = matches.map((match, i) => choice(match, i === 0 || match.text.includes(matches[0].text)))
  const summary = element('p', { role: 'status' })
  const cascade = new Cascade()
  const confirm = element('button', { type: 'button', class: 'danger' }, 'Forget it')
  const cancel = element('button', { type: 'button', class: 'quiet' }, 'Keep it')
  const place = element(
    'div',
    { class: 'forgetting' },
    element('p', {}, 'These memories fit. What is ticked would be forgotten, with all that rests on it:'),
    element('ul', {}, ...boxes.map(({ label }) => element('li', {}, label))),
    summary,
    cascade.element,
    element('div', { class: 'moves' }, confirm, cancel),
  )
  const ids = () => boxes.filter(({ box }) => box.checked).map(({ id }) => id)
  let looks = 0

  const look = async () => {
    const mine = ++looks
    confirm.disabled = true
    const chosen = ids()
    cascade.element.hidden = chosen.length === 0
    if (chosen.length === 0) return void (summary.textContent = 'Nothing is ticked.')
    const plan = await db.unlearn({ episode: chosen }, 'to see what depends on it', { dryRun: true })
    if (mine !== looks) return
    await draw(db, plan, cascade)
    summary.textContent = `To be forgotten: ${countsInWords(plan).join(', ')}.`
    confirm.disabled = false
  }
  for (const { box } of boxes) box.addEventListener('change', () => void look().catch(report))
  cancel.addEventListener('click', () => place.replaceChildren(element('p', {}, 'Nothing was forgotten.')))
  confirm.addEventListener('click', () => {
    const chosen = ids()
    confirm.disabled = true
    db.unlearn({ episode: chosen }, 'asked for in the chat').then((gone) => {
      const later = 'For 30 days the panel Forget can restore it, or erase it at once.'
      const said = `Forgotten: ${countsInWords(gone).join(', ')}. ${later}`
      place.replaceChildren(element('p', { role: 'status' }, said))
      done(chosen)
    }, report)
  })
  await look()
  return place
}

function choice({ id, speaker, text }: Match, checked: boolean) {
  const box = element('input', { type: 'checkbox' })
  box.checked = checked
  const said = speaker === undefined ? text : `${speaker}: ${text}`
  return { id, box, label: element('label', {}, box, element('span', {}, said)) }
}

async function draw(db: Agidb, { graph }: UnlearnReport, cascade: Cascade): Promise<void> {
  const names = new Names(db)
  const folded = foldCascade(graph)
  const folds = [...folded.given, ...folded.dependents]
  const named = new Map(await Promise.all(folds.map(async (fold) => [fold, await names.ofFold(fold)] as const)))
  cascade.show(folded, (fold) => named.get(fold)!)
}
