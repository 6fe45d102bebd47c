import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pdfParser } from '../../../src/documents/pdf/pdf.js'
import { openMemory } from '../engine/open.js'
import { expectOutline } from './outline-laws.js'
import { paragraph, pdfFile } from './pdf-file.js'

const MANUAL = pdfFile(
  [
    [
      { text: 'The Kettle', size: 20, y: 760 },
      ...paragraph(720, 'It boils water for up to twelve cups, and it switches', 'itself off when the water boils.'),
      { text: 'Care', size: 14, y: 660 },
      ...paragraph(630, 'Descale it twice a year. Use the descal-', 'ing powder of the maker.'),
      ...paragraph(590, 'Never put it under water.'),
      { text: 'Kettle manual 1', size: 8, y: 30 },
    ],
    [
      ...paragraph(780, 'What is said here belongs to care, too.'),
      { text: 'Parts', size: 14, y: 700 },
      ...paragraph(670, '\x95 The lid', '\x95 The base (220 V)'),
      { text: 'Kettle manual 2', size: 8, y: 30 },
    ],
    [...paragraph(780, 'The last page has a spare part list.'), { text: 'Kettle manual 3', size: 8, y: 30 }],
  ],
  'Kettle K1',
)

describe('PDF', () => {
  test('headings are what is set larger; paragraphs keep their words, and what a line divides is joined', async () => {
    const { text, pieces, title } = await pdfParser.parse(MANUAL, 'kettle.pdf')
    expect(title).toBe('Kettle K1')
    expect(pieces.map(({ level, parent, heading }) => [level, parent, heading])).toEqual([
      [1, undefined, 'The Kettle'],
      [2, 0, 'Care'],
      [2, 0, 'Parts'],
    ])
    const [kettle, care, parts] = pieces.map(({ start, end }) => text.slice(start, end))
    expect(kettle).toBe(
      '# The Kettle\n\nIt boils water for up to twelve cups, and it switches itself off when the water boils.',
    )
    expect(care).toBe(
      '## Care\n\nDescale it twice a year. Use the descaling powder of the maker.\n\nNever put it under water.\n\n' +
        'What is said here belongs to care, too.',
    )
    expect(parts).toContain('• The lid\n\n• The base (220 V)')
  })

  test('running titles and page numbers are left out', async () => {
    const { text } = await pdfParser.parse(MANUAL, 'kettle.pdf')
    expect(text).not.toContain('Kettle manual')
    expect(text).toContain('The last page has a spare part list.')
  })

  test('is stored, found and cited like any document', async () => {
    const db = await openMemory({ extract: 'none' })
    await db.entries.ingest(await pdfParser.parse(MANUAL, 'kettle.pdf'), { source: 'kettle.pdf' })
    const [{ entry }] = await db.entries.search('how often to descale')
    expect(entry).toMatchObject({ source: 'kettle.pdf', heading: 'Care', path: 'Kettle K1 > The Kettle > Care' })
    await db.close()
  })

  test('the same bytes are not taken away from the caller, and give the same pieces', async () => {
    const bytes = MANUAL.slice()
    const first = await pdfParser.parse(bytes, 'kettle.pdf')
    expect(bytes).toEqual(MANUAL)
    expect(await pdfParser.parse(bytes, 'kettle.pdf')).toEqual(first)
    expect(await pdfParser.parse(Buffer.from(bytes), 'kettle.pdf')).toEqual(first)
  })

  test.each<[string, Uint8Array, string]>([
    ['no PDF', new TextEncoder().encode('# Kettle'), 'is no PDF'],
    ['nothing', new Uint8Array(0), 'is no PDF'],
    ['pages without text', pdfFile([[]]), 'has no text'],
  ])('%s is refused', async (_, bytes, message) => {
    await expect(Promise.resolve(pdfParser.parse(bytes, 'x.pdf'))).rejects.toMatchObject({
      code: 'AGIDB_PARSE',
      message: expect.stringContaining(message) as string,
    })
  })

  test('a text is refused, and a memory says who reads the bytes', async () => {
    await expect(Promise.resolve(pdfParser.parse('%PDF-1.4', 'x.pdf'))).rejects.toMatchObject({
      code: 'AGIDB_INVALID_ARGUMENT',
    })
    const db = await openMemory({ extract: 'none' })
    for (const options of [{ source: 'x.pdf' }, { source: 'x', parser: 'pdf' }])
      await expect(db.entries.ingest(MANUAL, options)).rejects.toMatchObject({
        code: 'AGIDB_PARSE',
        message: expect.stringContaining('agidb/pdf') as string,
      })
    await db.close()
  })

  test('a damaged file is read as far as it goes, or refused with a code', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(MANUAL.length - 1), fc.nat(255), fc.boolean(), async (at, byte, isCut) => {
        const bytes = isCut ? MANUAL.slice(0, at) : MANUAL.slice()
        if (!isCut) bytes[at] = byte
        try {
          expectOutline(await pdfParser.parse(bytes, 'x.pdf'))
        } catch (error) {
          expect(error).toMatchObject({ name: 'AgidbError', code: 'AGIDB_PARSE' })
        }
      }),
      { numRuns: 60 },
    )
  })
})
