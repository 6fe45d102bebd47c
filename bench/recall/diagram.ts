import type { Bin } from './metrics.js'

const SIDE = 360
const LEFT = 56
const TOP = 48
const WIDTH = LEFT + SIDE + 24
const HEIGHT = TOP + SIDE + 72

/**
 * A reliability diagram as SVG: for each bin of confidence the share that was right, against the diagonal on which
 * a perfectly calibrated memory would lie, with the number of matches in the bin (Niculescu-Mizil, Caruana 2005).
 *
 * @param bins of equal width, from 0 to 1
 * @param error the expected calibration error, 0 to 1
 */
export function reliabilityDiagram(bins: readonly Bin[], title: string, error: number): string {
  const step = SIDE / bins.length
  const bars = bins.map(({ count, right }, i) => (count === 0 ? '' : bar(i * step, step, right)))
  const dots = bins.map(({ count, confidence, right }) =>
    count === 0 ? '' : `<circle class="dot" cx="${x(confidence)}" cy="${y(right)}" r="3.5"/>`,
  )
  const counts = bins.map(
    ({ count }, i) => `<text class="count" x="${x((i + 0.5) / bins.length)}" y="${y(0) + 36}">${count}</text>`,
  )
  const ticks = Array.from({ length: 6 }, (_, i) => tick(i / 5))
  const parts = [
    `<text class="title" x="${LEFT}" y="24">${escape(title)}</text>`,
    ...ticks,
    ...bars,
    `<line class="ideal" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>`,
    ...dots,
    ...counts,
    `<text class="axis" x="${x(0.5)}" y="${HEIGHT - 14}">confidence, with the number of matches</text>`,
    `<text class="axis" transform="translate(16 ${y(0.5)}) rotate(-90)">share that was right</text>`,
    `<text class="note" x="${x(0.03)}" y="${y(0.93)}">expected calibration error ${error.toFixed(3)}</text>`,
  ].filter((part) => part !== '')
  const size = `viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escape(title)}">
${STYLE}
<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>
${parts.join('\n')}
</svg>
`
}

/** On a light ground whatever is around it: the picture is read on pages of either colour. */
const STYLE = `<style>
  text { font: 12px system-ui, sans-serif; fill: #333 }
  .title { font-size: 14px; font-weight: 600 }
  .axis, .count { text-anchor: middle }
  .count { font-size: 10px; fill: #666 }
  .value { text-anchor: end; fill: #666 }
  .under { text-anchor: middle; fill: #666 }
  .paper { fill: #fff }
  .bar { fill: #a9c8e8 }
  .dot { fill: #1f5f99 }
  .grid { stroke: #e4e4e4 }
  .ideal { stroke: #888; stroke-dasharray: 4 4 }
</style>`

function bar(left: number, width: number, right: number): string {
  return (
    `<rect class="bar" x="${round(LEFT + left + 1)}" y="${y(right)}" width="${round(width - 2)}" ` +
    `height="${round(right * SIDE)}"/>`
  )
}

function tick(value: number): string {
  const label = value.toFixed(1)
  return (
    `<line class="grid" x1="${x(0)}" y1="${y(value)}" x2="${x(1)}" y2="${y(value)}"/>` +
    `<text class="value" x="${x(0) - 8}" y="${y(value) + 4}">${label}</text>` +
    `<text class="under" x="${x(value)}" y="${y(0) + 18}">${label}</text>`
  )
}

function x(value: number): number {
  return round(LEFT + value * SIDE)
}

function y(value: number): number {
  return round(TOP + (1 - value) * SIDE)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
