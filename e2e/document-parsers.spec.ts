import { expect } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { codeParser } from '../src/documents/code/node.js'
import { pdfParser } from '../src/documents/pdf/pdf.js'
import { paragraph, pdfFile } from '../test/unit/documents/pdf-file.js'
import { test } from './profile.js'
import { serve } from './serve.js'

const CODE = readFileSync(new URL('../src/summaries/mixture.ts', import.meta.url), 'utf8')
const PDF = pdfFile([
  [
    { text: 'Printer', size: 20, y: 760 },
    ...paragraph(720, 'Open the rear door and pull the sheet out', 'when paper is stuck.'),
  ],
])

let server: Awaited<ReturnType<typeof serve>>
test.beforeAll(async () => {
  server = await serve()
})

test('a page reads PDF and source code as Node does, and finds what they say', async ({ page }) => {
  await page.goto(`${server.url}/e2e/pages/parsers.html`)
  await page.waitForFunction(() => typeof window.parsers === 'object')
  const { pdf, code, path } = await page.evaluate(
    async ([bytes, source]) => {
      const { parsers } = window
      const pdf = await parsers.pdf.parse(new Uint8Array(bytes), 'printer.pdf')
      const code = await parsers.code.parse(source, 'mixture.ts')
      const db = await parsers.open('parsers')
      await db.entries.ingest(pdf, { source: 'printer.pdf' })
      await db.entries.ingest(code, { source: 'mixture.ts' })
      const [match] = await db.entries.search('paper is stuck')
      await db.close()
      return { pdf, code, path: match.entry.path }
    },
    [[...PDF], CODE] as const,
  )
  expect(path).toBe('Printer')
  expect(pdf).toEqual(await pdfParser.parse(PDF, 'printer.pdf'))
  expect(code).toEqual(await codeParser().parse(CODE, 'mixture.ts'))
  expect(code.pieces.map(({ heading }) => heading)).toContain('softClusters')
})
