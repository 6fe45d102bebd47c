/** One measured figure, and what was promised of it. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly atLeast?: number
  /**
   * What was aimed at: printed as reached or missed, and no reason to fail. `atLeast` below it guards what is reached.
   */
  readonly aim?: number
  readonly under?: number
}

/** What was measured of one floor. */
export interface Section {
  readonly title: string
  readonly figures: readonly Figure[]
}

/** Whether the figure is as promised; true where nothing was. */
export function isKept({ value, atLeast = -Infinity, under = Infinity }: Figure): boolean {
  return value >= atLeast && value < under
}

/** Lines of text: the figures, and whether what was promised of them is kept. */
export function printed({ title, figures }: Section): string {
  const width = Math.max(...figures.map(({ name }) => name.length))
  const line = (figure: Figure) => {
    const { name, value, atLeast, under, aim } = figure
    const promises = [
      ...(atLeast === undefined ? [] : [`≥ ${atLeast}`]),
      ...(under === undefined ? [] : [`< ${under}`]),
    ]
    const aimed = aim === undefined ? '' : `  aimed at ≥ ${aim}: ${value >= aim ? 'reached' : 'MISSED'}`
    const promised =
      promises.length === 0 ? '' : `  promised ${promises.join(', ')}: ${isKept(figure) ? 'kept' : 'BROKEN'}`
    const shown = value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 10 ? 3 : 1 })
    return `  ${name.padEnd(width)}  ${shown.padStart(9)}${aimed}${promised}`
  }
  return [title, ...figures.map(line)].join('\n')
}
