import type { FoundProcedure, Procedure } from '../../src/runtimes/browser/index.js'
import { bar } from '../bar.js'
import { element } from '../element.js'
import { counted, percent } from '../format.js'
import { field, form, press } from './form.js'
import type { Panel, Setting } from './panel.js'
import { renew } from './renew.js'

/** Procedures that are shown at most, the newest. */
const SHOWN = 50

/** How to do things, and how often that went well. */
export function proceduresPanel(setting: Setting): Panel {
  const { db, act } = setting
  const name = element('input', { required: '', autocomplete: 'off' })
  const trigger = element('input', { required: '', autocomplete: 'off' })
  const steps = element('textarea', { required: '', rows: '3' })
  const list = element('ul', { class: 'items' })
  const learn = form(
    'Learn a procedure',
    [field('Its name', name), field('When to do it', trigger), field('The steps, a line each', steps)],
    'Learn it',
    () =>
      act(() =>
        db.learnProcedure({
          name: name.value,
          trigger: trigger.value,
          steps: steps.value.split('\n').filter((step) => step.trim() !== ''),
        }),
      ),
  )

  const item = (procedure: Procedure | FoundProcedure): HTMLLIElement =>
    element(
      'li',
      { 'data-item': procedure.id },
      element(
        'div',
        { class: 'item' },
        element('span', { class: 'text' }, procedure.name),
        element(
          'span',
          { class: 'measure' },
          bar(procedure.strength),
          element('span', { class: 'share' }, percent(procedure.strength)),
        ),
      ),
      element('p', { class: 'note' }, `${procedure.trigger} (${outcomes(procedure)})`),
      'confidence' in procedure
        ? element('p', { class: 'fits' }, `Fits “${setting.answer!.cue}”: ${percent(procedure.confidence)}`)
        : undefined,
      element('ol', { class: 'steps' }, ...procedure.steps.map((step) => element('li', {}, step))),
      element(
        'div',
        { class: 'moves' },
        press(
          'It went well',
          `well ${procedure.id}`,
          () => void act(() => db.recordExecution(procedure.id, { success: true })),
        ),
        press(
          'It failed',
          `failed ${procedure.id}`,
          () => void act(() => db.recordExecution(procedure.id, { success: false })),
        ),
      ),
    )

  return {
    name: 'Procedures',
    about:
      'How it does things. Each execution that went well makes a procedure stronger; those that fit your last ' +
      'question come first.',
    body: [learn, list],
    count: ({ procedures }) => procedures,
    show: async () => {
      const events = await db.whatDidILearn(0, { kinds: ['procedureLearned'] })
      const ids = events.flatMap((event) => (event.kind === 'procedureLearned' ? [event.procedure] : []))
      const fitting = setting.answer === undefined ? [] : await db.proceduresFor(setting.answer.cue)
      const rest = ids
        .filter((id) => !fitting.some((found) => found.id === id))
        .slice(-SHOWN)
        .reverse()
      const others = (await Promise.all(rest.map((id) => db.getProcedure(id)))).filter(
        (procedure) => procedure !== undefined,
      )
      renew(list, ...[...fitting, ...others].map(item))
    },
  }
}

function outcomes({ successes, failures, degraded }: Procedure): string {
  const done =
    successes + failures === 0
      ? 'not done yet'
      : `${counted(successes, 'success', 'successes')}, ${counted(failures, 'failure', 'failures')}`
  return degraded ? `${done}; some of what it was learned from is gone` : done
}
