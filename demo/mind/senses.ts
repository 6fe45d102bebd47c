import type { NewSensoryFrame, WorkingState } from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { count } from '../format.js'
import { senseOf } from '../take/kinds.js'
import { capturing } from './capturing.js'
import { field, form } from './form.js'
import { wordsOf } from './frame.js'
import { HERE } from './here.js'
import { listen } from './listen.js'
import type { Panel, Setting } from './panel.js'
import { Ring } from './ring.js'

/** Milliseconds between two looks at the buffer. */
const LOOK = 1000

/** What is perceived, before anything is remembered of it. */
export function sensesPanel(setting: Setting): Panel {
  const { db, act } = setting
  const text = element('input', { required: '', autocomplete: 'off' })
  const file = element('input', { type: 'file', accept: 'image/*,audio/*' })
  const controls = [field('Say something to it', text), field('With a picture or sound', file)]
  const say = form('Perceive', controls, 'Say it', () =>
    act(async () => db.observeSensory(frameOf(text.value, file.files?.[0]))),
  )
  const ring = new Ring((frame) => void act(() => db.observe(wordsOf(frame), { frame: frame.id })))
  const captured = capturing(setting)
  const start = element('button', { type: 'button', class: 'small' }, 'Let it listen')
  const counts = element('p', { class: 'note' })
  let looking: ReturnType<typeof setInterval> | undefined
  let listening: AbortController | undefined

  const look = async () => {
    const state = await db.workingState()
    ring.show(state)
    counts.textContent = summarise(state)
    await captured.look()
  }
  const hide = () => {
    clearInterval(looking)
    looking = undefined
  }

  start.addEventListener('click', () => {
    if (listening !== undefined) return listening.abort()
    listening = new AbortController()
    const { signal } = listening
    start.textContent = 'Stop listening'
    void act(() => listen(db, setting.answer?.recall.matches[0]?.id, signal, look)).finally(() => {
      listening = undefined
      start.textContent = 'Let it listen'
    })
  })

  return {
    name: 'Senses',
    about: 'What it perceives is kept for a minute. What surprises it, or bears on a goal, it remembers.',
    body: [
      say,
      element(
        'div',
        { class: 'run' },
        start,
        element(
          'span',
          { class: 'note' },
          'Forty turns of what is loaded, from the best match of your last question on.',
        ),
      ),
      captured.element,
      ring.element,
      counts,
    ],
    show: async () => {
      start.disabled = (await db.stats()).episodes === 0
      await look()
      looking ??= setInterval(() => void look().catch(hide), LOOK) // the seconds pass, and frames go
    },
    hide,
  }
}

/** What is said, and what is shown or heard at the same time. */
function frameOf(text: string, file: File | undefined): NewSensoryFrame {
  const about = { text, session: HERE, source: HERE }
  if (file === undefined) return { modality: 'text', ...about }
  const sense = senseOf(file)
  if (sense === undefined) throw new Error(`${file.name} is neither a picture nor a sound.`)
  return { modality: 'multimodal', ...about, [sense]: file, keep: 'original' }
}

function summarise({ observed, promoted, dropped, threshold }: WorkingState): string {
  if (observed === 0) return 'Nothing was perceived yet.'
  return (
    `${count(observed)} perceived so far, ${count(promoted)} remembered, ${count(dropped)} dropped. Remembered ` +
    `from a surprise of ${threshold.toFixed(2)} on.`
  )
}
