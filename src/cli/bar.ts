const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar of `share` (0 to 1) of `width` columns, to an eighth of a column. */
export function bar(share: number, width: number): string {
  const eighths = Math.round(Math.min(Math.max(share, 0), 1) * width * 8)
  return '█'.repeat(eighths >> 3) + EIGHTHS[eighths & 7]!
}
