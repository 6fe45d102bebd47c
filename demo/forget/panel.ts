import {
  AgidbError,
  type ErrorCode,
  type Match,
  type UnlearnRecord,
  type UnlearnReport,
  type UnlearnTarget,
} from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { counted, time } from '../format.js'
import { field, form } from '../mind/form.js'
import type { Panel, Setting } from '../mind/panel.js'
import { Cascade } from './cascade.js'
import { Choice } from './choice.js'
import { foldCascade } from './fold.js'
import { Forgotten } from './forgotten.js'
import { Names } from './names.js'
import { tally, type Tally } from './tally.js'
import { countsInWords, kindWords } from './words.js'

/** Why, where nothing is forgotten. */
const DRY = 'to see what depends on it'

/** What is about to be forgotten. */
interface Plan {
  readonly target: UnlearnTarget
  readonly report: UnlearnReport
}

/** A panel that can be told which memory is to be forgotten. */
export interface ForgetPanel extends Panel {
  readonly pick: (match: Match) => Promise<void>
}

/** Shows what depends on a memory, a speaker or a conversation, forgets it, and brings it back. */
export function forgetPanel(setting: Setting): ForgetPanel {
  const { db, act } = setting
  const said = element('p', { class: 'done', role: 'status', tabindex: '-1' })
  const summary = element('p')
  const cascade = new Cascade()
  const reason = element('input', { required: '', autocomplete: 'off', placeholder: 'Why?' })
  let plan: Plan | undefined
  let known: { readonly of: string; readonly tally: Tally } | undefined
  let counting = new AbortController()

  const lookAt = async (next?: Plan) => {
    plan = next
    preview.hidden = plan === undefined
    if (plan === undefined) return
    const { report } = plan
    const { nodes } = report.graph
    if (nodes.length === 0) {
      said.textContent = 'There is nothing of it to forget.'
      return lookAt()
    }
    const names = new Names(db)
    const folded = foldCascade(report.graph)
    const named = new Map(
      await Promise.all(
        [...folded.given, ...folded.dependents].map(async (fold) => [fold, await names.ofFold(fold)] as const),
      ),
    )
    summary.textContent = `To be forgotten: ${countsInWords(report).join(', ')}.`
    cascade.show(folded, (fold) => named.get(fold)!)
  }

  const choice = new Choice(() => void lookAt())
  const preview = element(
    'section',
    { class: 'preview', 'aria-label': 'What depends on it', tabindex: '-1', hidden: '' },
    summary,
    cascade.element,
    form('Forget it', [field('Why? This is kept for good: name nothing of it', reason)], 'Forget it', () =>
      act(forget),
    ),
  )
  const choose = form('Choice', choice.fields, 'Show what depends on it', async () => {
    said.textContent = ''
    await act(look)
    return false // what was chosen stays chosen
  })
  const forgotten = new Forgotten(
    (record) => void act(() => restore(record)),
    (records) => void act(() => eraseNow(records)),
  )

  /** Nothing was done; the page says why. */
  function failed(error: unknown): never {
    said.textContent = ''
    throw inPlainWords(error)
  }

  async function look(): Promise<void> {
    const { target } = choice
    await lookAt(target && { target, report: await db.unlearn(target, DRY, { dryRun: true }).catch(failed) })
  }

  async function forget(): Promise<void> {
    said.textContent = 'Forgetting …'
    const report = await db.unlearn(plan!.target, reason.value).catch(failed)
    await lookAt()
    const drift = report.selfVectorDriftHamming ?? 0
    const moved = drift === 0 ? '' : ` Its self-vector moved by ${bits(drift)}.`
    const until = report.auditId === undefined ? '' : ` It can be restored until ${time(report.tombstoneExpiry)}.`
    said.textContent = `Forgotten: ${countsInWords(report).join(', ')}.${moved}${until} ${await askAgain(foundNoMore)}`
  }

  async function restore({ auditId }: UnlearnRecord): Promise<void> {
    said.textContent = 'Restoring …'
    const { episodesRestored, framesRestored } = await db.restoreWithinWindow(auditId).catch(failed)
    const back = [
      kindWords('episode', episodesRestored),
      ...(framesRestored > 0 ? [kindWords('frame', framesRestored)] : []),
    ]
    said.textContent = `Restored: ${back.join(', ')}. ${await askAgain(foundAgain)}`
  }

  async function eraseNow(records: readonly UnlearnRecord[]): Promise<void> {
    const { erase } = await import('./erase.js')
    const report = await erase(db, records).catch(failed)
    if (report === undefined) return
    said.textContent = `Erased for good: ${counted(report.records, 'record', 'records')}.`
    said.focus() // the button that was pressed is gone
  }

  /** Asks the last question again, and says how many matches came or went by that, in the words of `said`. */
  async function askAgain(said: (lost: number, found: number) => string): Promise<string> {
    const before = setting.answer
    await setting.again()
    const { answer } = setting
    if (before === undefined || answer === undefined) return ''
    const lost = missing(before.recall.matches, answer.recall.matches)
    const found = missing(answer.recall.matches, before.recall.matches)
    return `Asked “${answer.cue}” again: ${lost + found === 0 ? 'the same is found' : said(lost, found)}.`
  }

  /** Counts speakers and conversations where something came or went since. */
  async function taken(): Promise<Tally> {
    const { episodes, tombstones } = await db.stats()
    const of = `${episodes} ${tombstones}`
    if (known?.of !== of) {
      counting.abort()
      counting = new AbortController()
      const found = await tally(db, counting.signal)
      if (found !== undefined) known = { of, tally: found }
    }
    return known?.tally ?? { speakers: [], sessions: [] }
  }

  return {
    name: 'Forget',
    about:
      'What it forgets is gone with all that followed from it: it answers as if it had never been there. For 30 days ' +
      'it can be restored, or erased at once; then it is erased.',
    body: [choose, preview, said, forgotten.element],
    show: async () => {
      forgotten.show(await db.unlearnHistory(0))
      choice.show(setting.answer?.recall.matches ?? [], await taken())
    },
    hide: () => {
      counting.abort()
      said.textContent = ''
      void lookAt()
    },
    pick: async (match) => {
      choice.pick(match)
      await act(look)
      preview.focus()
    },
  }
}

/** How many of some matches are not among others. */
function missing(some: readonly Match[], others: readonly Match[]): number {
  const ids = new Set(others.map(({ id }) => id))
  return some.filter(({ id }) => !ids.has(id)).length
}

/** What is to be said of errors that other tabs, or loading again, can cause. */
const REASONS: Partial<Record<ErrorCode, string>> = {
  AGIDB_NOT_FOUND: 'it is not there any more: it was forgotten in the meantime',
  AGIDB_RESTORE_EXPIRED: 'it cannot be restored: it was erased in the meantime',
  AGIDB_DUPLICATE_ID: 'it cannot be restored: the same was remembered again in the meantime',
}

function inPlainWords(error: unknown): unknown {
  const reason = error instanceof AgidbError ? REASONS[error.code] : undefined
  return reason === undefined ? error : new AgidbError((error as AgidbError).code, reason, {}, { cause: error })
}

function foundNoMore(lost: number, found: number): string {
  const instead = found === 0 ? '' : `, and ${counted(found, 'other is', 'others are')} found instead`
  return `${kindWords('episode', lost)} found before ${lost === 1 ? 'is' : 'are'} not found any more${instead}`
}

function foundAgain(_: number, found: number): string {
  return `${kindWords('episode', found)} ${found === 1 ? 'is' : 'are'} found again`
}

const bits = (number: number): string => counted(number, 'bit', 'bits')
