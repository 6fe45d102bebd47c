import type { Capture } from '../take/capture.js'
import { element } from '../element.js'
import { HERE } from './here.js'
import type { Setting } from './panel.js'

/** The part of a panel that turns the camera and the microphone on and off. */
export interface Capturing {
  readonly element: HTMLElement
  /** Says how much was captured so far. */
  readonly look: () => Promise<void>
}

/** They are off until a person turns them on. What listens is loaded then. */
export function capturing({ db, act }: Setting): Capturing {
  const audio = element('input', { type: 'checkbox', checked: '' })
  const video = element('input', { type: 'checkbox', checked: '' })
  const turn = element('button', { type: 'button', class: 'small' }, 'Turn on')
  const said = element('p', { class: 'note', role: 'status' })
  const place = element('div')
  let running: Capture | undefined
  const part = () => import('../take/capture.js')

  const changed = () => {
    for (const box of [audio, video]) box.disabled = running !== undefined
    turn.disabled = running === undefined && !audio.checked && !video.checked
    turn.textContent = running === undefined ? 'Turn on' : 'Turn off'
    place.replaceChildren(...(running?.preview === undefined ? [] : [running.preview]))
  }
  const look = async () => {
    if (running !== undefined) said.textContent = (await part()).captured(running.counts())
  }
  const begin = async () => {
    const { capture, captured } = await part()
    const wanted = { audio: audio.checked, video: video.checked }
    running = await capture(db, wanted, HERE, (error) => void act(() => Promise.reject(error)))
    changed()
    void running.ended.then((counts) => {
      running = undefined
      changed()
      said.textContent = captured(counts)
      void act(async () => {})
    })
  }

  for (const box of [audio, video]) box.addEventListener('change', changed)
  turn.addEventListener('click', () => {
    if (running !== undefined) return running.stop()
    turn.disabled = true
    void act(begin).finally(changed)
  })
  const made = element(
    'fieldset',
    { class: 'capture' },
    element('legend', {}, 'Your camera and microphone'),
    element(
      'div',
      { class: 'run' },
      element('label', {}, audio, 'Microphone'),
      element('label', {}, video, 'Camera'),
      turn,
    ),
    element(
      'p',
      { class: 'note' },
      'Off until you turn them on. What they capture stays in this tab; what surprises it is remembered, with the ' +
        'picture or the sound.',
    ),
    place,
    said,
  )
  return { element: made, look }
}
