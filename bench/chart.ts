/** Points of one thing, named at the last of them. */
export interface Series {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
  /** Drawn to stand out. */
  readonly ours?: boolean
}

/** What is measured along an axis. */
export interface Axis {
  readonly label: string
  readonly log: boolean
  /** Default: what the points take. */
  readonly from?: number
  readonly to?: number
  readonly written?: (value: number) => string
}

export interface Chart {
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly series: readonly Series[]
}

const [PLOT_WIDTH, PLOT_HEIGHT, LEFT, TOP, NAMES] = [440, 320, 64, 48, 230]
const [WIDTH, HEIGHT] = [LEFT + PLOT_WIDTH + NAMES, TOP + PLOT_HEIGHT + 56]
/** Pixels from one name to the next, at least. */
const LINE = 14
/**
 * In the order of the series; ours is in the colour of the text (after Okabe and Ito 2008, told apart by the
 * colour-blind).
 */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b', '#56b4e9', '#8c6bb1', '#7f7f7f']

/** Series over two axes as SVG, each named beside its last point; readable on a light ground and on a dark one. */
export function chart({ title, x, y, series }: Chart): string {
  const drawn = series.filter(({ points }) => points.length > 0)
  const across = scale(
    x,
    drawn.flatMap(({ points }) => points.map(([at]) => at)),
    LEFT,
    LEFT + PLOT_WIDTH,
  )
  const up = scale(
    y,
    drawn.flatMap(({ points }) => points.map(([, at]) => at)),
    TOP + PLOT_HEIGHT,
    TOP,
  )
  const ends = names(drawn.map(({ points }) => up.at(points[points.length - 1][1])))
  const others = drawn.filter(({ ours }) => !ours)
  const lines = drawn.map(({ name, points, ours }, i) => {
    const places = points.map(([a, b]) => [round(across.at(a)), round(up.at(b))] as const)
    const colour = ours ? 'currentColor' : COLOURS[others.indexOf(drawn[i]) % COLOURS.length]
    const [lastX, lastY] = places[places.length - 1]
    return [
      `<g class="${ours ? 'ours' : 'other'}" style="--colour: ${colour}">`,
      places.length > 1 ? `<polyline points="${places.map((place) => place.join(',')).join(' ')}"/>` : '',
      ...places.map(([a, b]) => `<circle cx="${a}" cy="${b}" r="3.5"/>`),
      `<line class="leader" x1="${lastX + 5}" y1="${lastY}" x2="${LEFT + PLOT_WIDTH + 12}" y2="${round(ends[i])}"/>`,
      `<text class="name" x="${LEFT + PLOT_WIDTH + 16}" y="${round(ends[i] + 4)}">${escape(name)}</text>`,
      '</g>',
    ]
      .filter((part) => part !== '')
      .join('\n')
  })
  const parts = [
    `<text class="title" x="${LEFT}" y="24">${escape(title)}</text>`,
    ...across.ticks.map(
      (tick) =>
        `<line class="grid" x1="${round(across.at(tick))}" y1="${TOP}" x2="${round(across.at(tick))}" ` +
        `y2="${TOP + PLOT_HEIGHT}"/><text class="under" x="${round(across.at(tick))}" ` +
        `y="${TOP + PLOT_HEIGHT + 18}">${written(x, tick)}</text>`,
    ),
    ...up.ticks.map(
      (tick) =>
        `<line class="grid" x1="${LEFT}" y1="${round(up.at(tick))}" x2="${LEFT + PLOT_WIDTH}" ` +
        `y2="${round(up.at(tick))}"/><text class="value" x="${LEFT - 8}" ` +
        `y="${round(up.at(tick) + 4)}">${written(y, tick)}</text>`,
    ),
    `<text class="under" x="${LEFT + PLOT_WIDTH / 2}" y="${HEIGHT - 12}">${escape(x.label)}</text>`,
    `<text class="under" transform="translate(14 ${TOP + PLOT_HEIGHT / 2}) rotate(-90)">${escape(y.label)}</text>`,
    ...lines,
  ]
  const size = `viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escape(title)}">
${STYLE}
<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>
${parts.join('\n')}
</svg>
`
}

const STYLE = `<style>
  svg { color: #111; --paper: #fff; --text: #333; --faint: #666; --grid: #e4e4e4 }
  @media (prefers-color-scheme: dark) {
    svg { color: #fff; --paper: #0d1117; --text: #d6dae0; --faint: #9aa2ad; --grid: #2a313a }
  }
  text { font: 12px system-ui, sans-serif; fill: var(--text) }
  .title { font-size: 14px; font-weight: 600 }
  .value { text-anchor: end; fill: var(--faint) }
  .under { text-anchor: middle; fill: var(--faint) }
  .paper { fill: var(--paper) }
  .grid { stroke: var(--grid) }
  .name { font-size: 11px; fill: var(--colour) }
  .leader { stroke: var(--colour); stroke-opacity: 0.35 }
  polyline { fill: none; stroke: var(--colour); stroke-width: 1.5 }
  circle { fill: var(--colour) }
  .ours polyline { stroke-width: 3 }
  .ours .name { font-weight: 700 }
</style>`

interface Scale {
  readonly ticks: readonly number[]
  at(value: number): number
}

/** A log axis runs over whole decades, a linear one over whole steps of 1, 2 or 5. */
function scale({ log, from, to }: Axis, values: readonly number[], start: number, end: number): Scale {
  const [least, most] = [from ?? Math.min(...values), to ?? Math.max(...values)]
  const through = (value: number) => (log ? Math.log10(value) : value)
  const step = log ? 1 : roundStep((most - least) / 5)
  const first = Math.floor(through(least) / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(through(most) / step - 1e-9))
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => (log ? 10 ** (first + i) : (first + i) * step))
  return { ticks, at: (value) => start + ((through(value) / step - first) / (last - first)) * (end - start) }
}

function roundStep(step: number): number {
  const unit = 10 ** Math.floor(Math.log10(step))
  return unit * ([1, 2, 5, 10].find((factor) => factor * unit >= step) ?? 10)
}

/** Heights for names, near to what they name and apart from each other. */
function names(heights: readonly number[]): number[] {
  const placed = new Array<number>(heights.length)
  let free = TOP
  for (const i of heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b])) {
    placed[i] = Math.max(free, heights[i])
    free = placed[i] + LINE
  }
  // What was pushed out at the bottom pushes back up.
  let floor = TOP + PLOT_HEIGHT
  for (const i of heights.map((_, i) => i).sort((a, b) => placed[b] - placed[a])) {
    placed[i] = Math.min(floor, placed[i])
    floor = placed[i] - LINE
  }
  return placed
}

function written({ written }: Axis, value: number): string {
  return written?.(value) ?? value.toLocaleString('en', { maximumSignificantDigits: 3 })
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
