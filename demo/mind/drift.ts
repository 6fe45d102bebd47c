import type { Introspection } from '../../src/runtimes/browser/index.js'
import { element } from '../element.js'
import { count, counted, sentence, time } from '../format.js'

type Epochs = Extract<Introspection, { readonly question: 'how much did I drift' }>['epochs']

const NAMESPACE = 'http://www.w3.org/2000/svg'
const WIDTH = 1000
const HEIGHT = 100
/** Epochs for which there is room at least, so that the first does not fill the plot. */
const ROOM = 24

/** Bits that each epoch changed, as bars, the first at the left. */
export function driftPlot(epochs: Epochs, summary: string): HTMLElement[] {
  const caption = element('figcaption', {}, sentence(summary))
  if (epochs.length === 0) return [caption]
  const most = Math.max(1, ...epochs.map(({ drift }) => drift))
  const step = WIDTH / Math.max(ROOM, epochs.length)
  const bars = epochs.map(({ drift }, i) => {
    const height = Math.max(1, (HEIGHT * drift) / most)
    return (
      `M${(i * step).toFixed(2)} ` +
      `${HEIGHT}v${(-height).toFixed(2)}h${(step * 0.72).toFixed(2)}v${height.toFixed(2)}z`
    )
  })
  const path = document.createElementNS(NAMESPACE, 'path')
  path.setAttribute('d', bars.join(''))
  const svg = document.createElementNS(NAMESPACE, 'svg')
  const label = `${counted(epochs.length, 'epoch', 'epochs')}; the last ones changed ${epochs
    .slice(-8)
    .map(({ drift }) => count(drift))
    .join(', ')} bits`
  for (const [name, value] of [
    ['viewBox', `0 0 ${WIDTH} ${HEIGHT}`],
    ['preserveAspectRatio', 'none'],
    ['role', 'img'],
    ['aria-label', label],
  ])
    svg.setAttribute(name, value)
  svg.append(path)
  return [
    caption,
    element(
      'div',
      { class: 'plot' },
      element('span', { class: 'top', 'aria-hidden': 'true' }, counted(most, 'bit', 'bits')),
      svg,
    ),
    element(
      'div',
      { class: 'axis', 'aria-hidden': 'true' },
      element('span', {}, time(epochs[0].at)),
      element('span', {}, epochs.length > 1 ? time(epochs.at(-1)!.at) : ''),
    ),
  ]
}
