/** Steps of the power iteration: enough where the components differ in spread by a few per cent. */
const STEPS = 40
/** Spread below which a further component holds nothing but rounding. */
const NOTHING = 1e-9

/**
 * Reduces vectors to their coordinates along the directions in which they differ most (principal components, by power
 * iteration). RAPTOR (Sarthi et al., 2024) reduces by UMAP; that draws at random and depends on the order of its sums
 * between threads, where this gives the same bits everywhere.
 *
 * @param vectors of one length; not changed
 * @param most the most components
 * @returns a row for each vector, with as many coordinates as there are components: at most `most`, fewer where the
 *   vectors lie in fewer dimensions, none where they are all alike
 */
export function principalCoordinates(vectors: readonly ArrayLike<number>[], most: number): Float64Array[] {
  const rows = centred(vectors)
  const spread = largest(rows)
  const components: Float64Array[] = []
  while (components.length < most) {
    const component = nextComponent(rows, components, NOTHING * spread)
    if (component === undefined) break
    components.push(component)
  }
  return rows.map((row) => Float64Array.from(components, (component) => product(row, component)))
}

function centred(vectors: readonly ArrayLike<number>[]): Float64Array[] {
  const mean = new Float64Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (let i = 0; i < mean.length; i++) mean[i] += vector[i] / vectors.length
  return vectors.map((vector) => mean.map((value, i) => vector[i] - value))
}

/** The direction of most spread beside those that are known; `undefined` where there is none. */
function nextComponent(
  rows: readonly Float64Array[],
  known: readonly Float64Array[],
  least: number,
): Float64Array | undefined {
  // From the row that reaches farthest beside the known ones: it has a share in the direction that is looked for.
  let direction: Float64Array | undefined
  let farthest = least
  for (const row of rows) {
    const rest = beside(row, known)
    const length = product(rest, rest)
    if (length > farthest) [direction, farthest] = [rest, length]
  }
  if (direction === undefined) return undefined
  for (let step = 0; step < STEPS; step++) {
    const next = new Float64Array(direction.length)
    for (const row of rows) {
      const along = product(row, direction)
      for (let i = 0; i < next.length; i++) next[i] += along * row[i]
    }
    const rest = beside(next, known)
    const length = Math.sqrt(product(rest, rest))
    if (!(length > 0)) return undefined
    direction = rest.map((value) => value / length)
  }
  return direction
}

/** A vector without its shares in unit vectors. */
function beside(vector: Float64Array, units: readonly Float64Array[]): Float64Array {
  const rest = Float64Array.from(vector)
  for (const unit of units) {
    const share = product(rest, unit)
    for (let i = 0; i < rest.length; i++) rest[i] -= share * unit[i]
  }
  return rest
}

function largest(rows: readonly Float64Array[]): number {
  return rows.reduce((most, row) => Math.max(most, product(row, row)), 0)
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
