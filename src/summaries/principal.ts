/** Steps of the power iteration at most: enough where the components differ in spread by a few per cent. */
const STEPS = 40
/** Growth of the spread along a direction, as a share of it, below which the iteration ends. */
const LEAST_GROWTH = 1e-6
/** Spread below which a further component holds nothing but rounding. */
const NOTHING = 1e-9

/** A direction of unit length, as a weighted sum of the rows. */
interface Component {
  readonly weights: Float64Array
  /** The coordinate of each row along it: the Gram matrix times the weights. */
  readonly coordinates: Float64Array
}

/**
 * Reduces vectors to their coordinates along the directions in which they differ most (principal components, by power
 * iteration over the Gram matrix: n² products of vectors, and then n² multiplications a step). RAPTOR (Sarthi et al.,
 * 2024) reduces by UMAP; that draws at random and depends on the order of its sums between threads, where this gives
 * the same bits everywhere.
 *
 * @param vectors of one length; not changed
 * @param most the most components
 * @returns a row for each vector, with as many coordinates as there are components: at most `most`, fewer where the
 *   vectors lie in fewer dimensions, none where they are all alike
 */
export function principalCoordinates(vectors: readonly ArrayLike<number>[], most: number): Float64Array[] {
  const gram = gramMatrix(centred(vectors))
  const least = NOTHING * gram.reduce((farthest, row, i) => Math.max(farthest, row[i]), 0)
  const components: Component[] = []
  while (components.length < most) {
    const component = nextComponent(gram, components, least)
    if (component === undefined) break
    components.push(component)
  }
  return vectors.map((_, i) => Float64Array.from(components, ({ coordinates }) => coordinates[i]))
}

function centred(vectors: readonly ArrayLike<number>[]): Float64Array[] {
  const mean = new Float64Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (let i = 0; i < mean.length; i++) mean[i] += vector[i] / vectors.length
  return vectors.map((vector) => mean.map((value, i) => vector[i] - value))
}

/** The product of each row with each. */
function gramMatrix(rows: readonly Float64Array[]): Float64Array[] {
  const gram = rows.map(() => new Float64Array(rows.length))
  for (let i = 0; i < rows.length; i++) for (let j = 0; j <= i; j++) gram[i][j] = gram[j][i] = product(rows[i], rows[j])
  return gram
}

/** The direction of most spread, orthogonal to the known ones; `undefined` where there is none. */
function nextComponent(
  gram: readonly Float64Array[],
  known: readonly Component[],
  least: number,
): Component | undefined {
  const start = farthestRow(gram, known, least)
  if (start === undefined) return undefined
  let weights: Float64Array = new Float64Array(gram.length)
  let coordinates: Float64Array = gram[start] // the coordinates along this row
  let spread = 0
  for (let step = 0; step < STEPS; step++) {
    const next = orthogonal(coordinates, known)
    const along = times(gram, next)
    const length = Math.sqrt(product(next, along))
    if (!(length > 0)) return undefined
    weights = next.map((value) => value / length)
    coordinates = along.map((value) => value / length)
    const before = spread
    spread = product(coordinates, coordinates)
    if (spread - before < LEAST_GROWTH * spread) break
  }
  return { weights, coordinates }
}

/** The row that is longest without its shares in the known components: it has a share in the next one. */
function farthestRow(gram: readonly Float64Array[], known: readonly Component[], least: number): number | undefined {
  let [found, farthest]: [number | undefined, number] = [undefined, least]
  for (const [i, row] of gram.entries()) {
    const square = known.reduce((rest, { coordinates }) => rest - coordinates[i] * coordinates[i], row[i])
    if (square > farthest) [found, farthest] = [i, square]
  }
  return found
}

/** The weights of a direction without its shares in known ones. */
function orthogonal(weights: Float64Array, known: readonly Component[]): Float64Array {
  const rest = Float64Array.from(weights)
  for (const one of known) {
    const share = product(one.coordinates, rest)
    for (let i = 0; i < rest.length; i++) rest[i] -= share * one.weights[i]
  }
  return rest
}

function times(matrix: readonly Float64Array[], vector: Float64Array): Float64Array {
  const result = new Float64Array(matrix.length)
  for (let i = 0; i < matrix.length; i++) result[i] = product(matrix[i], vector)
  return result
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
