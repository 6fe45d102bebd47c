import { expect, test } from 'vitest'
import { ratiosOf } from '../../bench/sizes.js'
import type { Table } from '../../bench/tabular.js'

test('the ratios to MiniSearch are named by size and place; a size without MiniSearch has none', () => {
  const table = (place: string, ratios: Record<number, number | undefined>): Table => ({
    title: place,
    subject: { section: 'sizes', place },
    columns: [],
    rows: Object.entries(ratios).map(([count, ratio]) => ({
      name: count,
      cells: { count: Number(count), 'recall p50 to MiniSearch': ratio },
    })),
  })
  const others: Table = { title: 'peers', subject: { section: 'peers' }, columns: [], rows: [] }
  const tables = [others, table('node', { 10_000: 3, 1_000_000: undefined }), table('chromium', { 100_000: 1.5 })]
  expect(ratiosOf(tables)).toEqual({ recall10k: 3, recall100kChromium: 1.5 })
})
