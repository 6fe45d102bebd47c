import type { BamsReport, RegionReport } from './report.js'

const WIDTH = 720
const LEFT = 196
const RIGHT = 24
const ROW = 44
const BAR = 14
/** Of components, in turn; told apart by people who do not see all colours (Okabe and Ito 2008). */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00']
const SHARED = '#9aa0a6'
const STYLE = `
svg{color:#1f2328;background:#fff;font:13px system-ui,sans-serif}
text{fill:currentColor}
.quiet{opacity:.7}
.line{stroke:currentColor;stroke-opacity:.2}
.whisker{stroke:currentColor;stroke-width:1.5}
.ceiling{fill:currentColor;fill-opacity:.14}
@media(prefers-color-scheme:dark){svg{color:#e6edf3;background:#0d1117}}
`

/**
 * A report as a picture: above, the similarity of the memory to each region with its interval, on the grey band of the
 * noise ceiling; below, what each component explains of the region. It follows the colour scheme of the page.
 */
export function toSvg(report: BamsReport): string {
  const { regions, components, score } = report
  const lowest = Math.min(0, ...regions.flatMap(({ similarity, interval }) => [similarity, interval.low]))
  const highest = Math.max(
    ...regions.flatMap(({ similarity, interval, ceiling }) => [similarity, interval.high, ceiling?.upper ?? 0]),
  )
  const similarities = axis(Math.max(-1, lowest), Math.min(1, Math.max(highest, 0.05)))
  const most = Math.max(0.05, ...regions.map(({ attribution }) => Math.max(attribution.total, uniqueSum(attribution))))
  const shares = axis(0, Math.min(1, most))
  const [top, height] = [76, regions.length * ROW]
  const below = top + height + 84
  const legend = below + height + 56
  const title = `Brain alignment ${score === undefined ? 'without a score' : score.toFixed(3)}`
  const parts = [
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(described(report))}</desc>`,
    `<style>${STYLE}</style>`,
    `<text x="16" y="28" font-size="17" font-weight="600">${escaped(title)}</text>`,
    `<text x="16" y="52" class="quiet">Similarity (${report.comparison}), 95 % interval, noise ceiling</text>`,
    ...scale(similarities, top, height),
    ...regions.flatMap((region, i) => similarityRow(region, similarities, top + i * ROW)),
    `<text x="16" y="${below - 20}" class="quiet">Variance explained</text>`,
    ...scale(shares, below, height),
    ...regions.flatMap((region, i) => attributionRow(region, shares, below + i * ROW)),
    ...[...components, 'shared'].map((name, i) => {
      const [x, y] = [16 + (i % 4) * 176, legend + Math.floor(i / 4) * 22]
      const colour = i === components.length ? SHARED : COLOURS[i % COLOURS.length]
      const label = escaped(shortened(name, 22))
      const box = `<rect x="${x}" y="${y}" width="12" height="12" rx="2" fill="${colour}"/>`
      return `${box}<text x="${x + 18}" y="${y + 11}">${label}</text>`
    }),
  ]
  const total = legend + (Math.floor(components.length / 4) + 1) * 22 + 12
  const size = `viewBox="0 0 ${WIDTH} ${total}" width="${WIDTH}" height="${total}"`
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">`
  return `${head}\n${parts.join('\n')}\n</svg>\n`
}

interface Axis {
  readonly ticks: readonly number[]
  readonly at: (value: number) => number
}

/** An axis from a multiple of its step to a multiple of its step, with three to seven ticks. */
function axis(low: number, high: number): Axis {
  const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find((one) => (high - low) / one <= 5.5) ?? 0.5
  const from = Math.floor(low / step + 1e-9)
  const to = Math.max(from + 1, Math.ceil(high / step - 1e-9))
  const ticks = Array.from({ length: to - from + 1 }, (_, i) => (from + i) * step)
  const width = WIDTH - LEFT - RIGHT
  return { ticks, at: (value) => round(LEFT + ((value / step - from) / (to - from)) * width) }
}

function scale({ ticks, at }: Axis, top: number, height: number): string[] {
  return ticks.map((tick) => {
    const x = at(tick)
    const label = `<text x="${x}" y="${top + height + 18}" text-anchor="middle" class="quiet">${round(tick)}</text>`
    return `<line x1="${x}" x2="${x}" y1="${top}" y2="${top + height}" class="line"/>${label}`
  })
}

function similarityRow(region: RegionReport, { at }: Axis, top: number): string[] {
  const { similarity, interval, ceiling, corrected } = region
  const middle = top + ROW / 2
  const [zero, end] = [at(0), at(similarity)]
  const band =
    ceiling === undefined
      ? []
      : [bar(at(ceiling.lower), at(ceiling.upper), top + 4, ROW - 8, 'class="ceiling"', `noise ceiling`)]
  const sure = corrected < 0.05
  const paint = `fill="${COLOURS[0]}"${sure ? '' : ' fill-opacity=".35"'}`
  return [
    ...band,
    name(region, middle),
    bar(zero, end, middle - BAR / 2, BAR, paint, `${similarity.toFixed(3)}, p ${corrected.toFixed(4)}`),
    `<line x1="${at(interval.low)}" x2="${at(interval.high)}" y1="${middle}" y2="${middle}" class="whisker"/>`,
  ]
}

function attributionRow(region: RegionReport, { at }: Axis, top: number): string[] {
  const middle = top + ROW / 2
  const { components, shared } = region.attribution
  const stack = [
    ...components.map(({ name, unique }, i) => ({ label: name, value: unique, colour: COLOURS[i % COLOURS.length] })),
    { label: 'shared', value: Math.max(0, shared), colour: SHARED },
  ]
  let from = 0
  return [
    name(region, middle),
    ...stack.map(({ label, value, colour }) => {
      const [start, end] = [at(from), at(from + value)]
      from += value
      return bar(start, end, middle - BAR / 2, BAR, `fill="${colour}"`, `${label} ${value.toFixed(3)}`)
    }),
  ]
}

function bar(from: number, to: number, y: number, height: number, paint: string, title: string): string {
  const [x, width] = [Math.min(from, to), round(Math.abs(to - from))]
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${paint}><title>${escaped(title)}</title></rect>`
}

function name(region: RegionReport, middle: number): string {
  const label = escaped(shortened(region.name, 26))
  return `<text x="${LEFT - 12}" y="${middle + 4}" text-anchor="end">${label}</text>`
}

function uniqueSum({ components }: RegionReport['attribution']): number {
  return components.reduce((sum, { unique }) => sum + unique, 0)
}

function described({ regions }: BamsReport): string {
  return regions
    .map(({ name, similarity, test }) => `${name}: ${similarity.toFixed(3)}, p ${test.p.toFixed(4)}`)
    .join('; ')
}

function shortened(text: string, most: number): string {
  const letters = [...text]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text
}

const round = (value: number): number => Math.round(value * 100) / 100

/** Text of XML, without the control characters that XML has no way to write. */
function escaped(text: string): string {
  const allowed = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
  return allowed.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
