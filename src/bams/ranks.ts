/** The order in which values ascend. */
export function ascending(values: Float64Array): Uint32Array {
  return Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b])
}

/** The ranks of values, from 1 on; equal values share the mean of theirs. */
export function ranks(values: Float64Array): Float64Array {
  const order = ascending(values)
  const result = new Float64Array(values.length)
  for (let from = 0; from < order.length; ) {
    let to = from + 1
    while (to < order.length && values[order[to]] === values[order[from]]) to++
    for (let i = from; i < to; i++) result[order[i]] = (from + to + 1) / 2
    from = to
  }
  return result
}
