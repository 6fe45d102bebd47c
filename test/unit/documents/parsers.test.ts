import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ParsedDocument } from '../../../src/api/document-parser.js'
import { formatOf } from '../../../src/documents/formats.js'
import { htmlParser } from '../../../src/documents/html.js'
import { markdownParser } from '../../../src/documents/markdown.js'
import { textParser } from '../../../src/documents/text.js'
import { expectOutline } from './outline-laws.js'

const parse = (parser: typeof markdownParser, document: string | Uint8Array) =>
  parser.parse(document, 'a') as ParsedDocument
const contents = ({ text, pieces }: ParsedDocument) => pieces.map(({ start, end }) => text.slice(start, end))
const outline = ({ pieces }: ParsedDocument) => pieces.map(({ level, parent, heading }) => [level, parent, heading])

describe('Markdown', () => {
  test('a section has its heading and what stands right below it in one piece', () => {
    const parsed = parse(
      markdownParser,
      '# Kettle\n\nBoils water.\n\n## Care\n\nDescale it.\n\n## Parts\n### Lid\nSteel.\n',
    )
    expect(contents(parsed)).toEqual([
      '# Kettle\n\nBoils water.',
      '## Care\n\nDescale it.',
      '## Parts',
      '### Lid\nSteel.',
    ])
    expect(outline(parsed)).toEqual([
      [1, undefined, 'Kettle'],
      [2, 0, 'Care'],
      [2, 0, 'Parts'],
      [3, 2, 'Lid'],
    ])
  })

  test('a number sign in code begins no section, and code stays whole', () => {
    const code = '```sh\n# not a heading\nmake\n```'
    const parsed = parse(markdownParser, `# A\n\n${'Words. '.repeat(150)}\n\n${code}\n\n## B\n\ntext\n`)
    expect(parsed.pieces.map(({ heading }) => heading)).toEqual(['A', undefined, 'B'])
    expect(contents(parsed).filter((content) => content.includes('# not a heading'))[0]).toContain(code)
  })

  test.each([
    ['fenced', '', '```ts\n', '```\n'],
    ['indented', '    ', '', ''],
    ['of HTML', '', '<pre>\n', '</pre>\n'],
  ])('a long block of code %s is cut between its lines', (_, indent, opening, closing) => {
    const lines = Array.from({ length: 800 }, (_, i) => `line ${i} 🍵🍵`)
    const code = lines.map((line) => `${indent}${line}\n`).join('')
    const cut = contents(parse(markdownParser, `${opening}${code}${closing}`))
    expect(cut.length).toBeGreaterThan(2)
    for (const piece of cut.slice(0, -1)) expect(piece).toMatch(/🍵$/u)
    for (const piece of cut.slice(1)) expect(piece).toMatch(/^line \d/u)
  })

  test('a table stays whole until it is very long, and is then cut between rows', () => {
    const rows = (count: number) => `| a | b |\n|---|---|\n${'| cell one | cell two |\n'.repeat(count)}`
    expect(contents(parse(markdownParser, rows(100)))).toHaveLength(1)
    const cut = contents(parse(markdownParser, rows(400)))
    expect(cut.length).toBeGreaterThan(1)
    for (const piece of cut) expect(piece.endsWith('|')).toBe(true)
  })

  test('a long list is cut between its items', () => {
    const cut = contents(parse(markdownParser, '- an item with several words\n  - and another one in it\n'.repeat(60)))
    expect(cut.length).toBeGreaterThan(1)
    for (const piece of cut) expect(piece.startsWith('- ')).toBe(true)
  })

  test('front matter is what the document says of itself', () => {
    const parsed = parse(markdownParser, '---\ntitle: Care\ntags: [kettle]\ndate: 2026-01-02\n---\nDescale it.\n')
    expect(parsed).toMatchObject({ title: 'Care', metadata: { tags: ['kettle'], date: '2026-01-02T00:00:00.000Z' } })
    expect(contents(parsed)).toEqual(['Descale it.'])
    expect(parse(markdownParser, '---\n{{ wrong\n---\ntext').metadata).toBeUndefined()
  })

  test('underlined headings, line ends of two characters, a byte order mark and skipped levels are read', () => {
    const parsed = parse(markdownParser, '\ufeffKettle\r\n======\r\n\r\ntext\r\n\r\n#### Deep\r\n\r\nmore 🍵\r\n')
    expect(outline(parsed)).toEqual([
      [1, undefined, 'Kettle'],
      [4, 0, 'Deep'],
    ])
    expect(contents(parsed)[1]).toBe('#### Deep\r\n\r\nmore 🍵')
  })

  test('a document with nothing in it has no pieces', () => {
    for (const empty of ['', ' \n\n', '<!-- nothing -->', '---\na: 1\n---\n'])
      expect(contents(parse(markdownParser, empty))).toEqual([])
  })

  test('bytes that are no UTF-8 are refused', () => {
    expect(() => parse(markdownParser, Uint8Array.of(0xff, 0xfe, 0x41))).toThrow(
      expect.objectContaining({ code: 'AGIDB_PARSE' }),
    )
  })

  test('a line of a million characters becomes passages', () => {
    const parsed = parse(markdownParser, '😀'.repeat(500_000))
    expectOutline(parsed)
    expect(contents(parsed).join('')).toBe('😀'.repeat(500_000))
  })

  test.each([
    ['lists within each other', '- '.repeat(6000)],
    ['numbered lists within each other', '1. '.repeat(12_000)],
    ['quotations within each other', '>'.repeat(48_000)],
    ['marks of emphasis that close nothing', '*a_'.repeat(10_000)],
    ['lines of such marks', '*a_\n'.repeat(12_000)],
  ])('%s are read in a few seconds at most, thousands of them, too', (_, marks) => {
    const started = performance.now()
    const parsed = parse(markdownParser, `# Kettle\n\n${marks}x\n\n## *Care*\n\nDescale it.\n`)
    expect(performance.now() - started).toBeLessThan(5000)
    expect(parsed.pieces.map(({ heading }) => heading).filter((one) => one !== undefined)).toEqual(['Kettle', 'Care'])
    expect(contents(parsed).join('').replace(/\s/g, '')).toContain(marks.slice(-100).replace(/\s/g, ''))
    expect(contents(parsed).at(-1)).toBe('## *Care*\n\nDescale it.')
  })

  test('long lists of asterisks and long rules between sections stay what they are', () => {
    const list = Array.from({ length: 2000 }, (_, i) => `* point ${i} of *many*`).join('\n')
    const { text, pieces } = parse(
      markdownParser,
      `Kettle\n${'-'.repeat(200)}\n\n${list}\n\nCare\n${'='.repeat(200)}\n\nx\n`,
    )
    expect(pieces.filter(({ heading }) => heading !== undefined).map(({ heading }) => heading)).toEqual([
      'Kettle',
      'Care',
    ])
    const points = pieces.filter(({ level }) => level === 7).map(({ start }) => text.slice(start, start + 8))
    expect(points.filter((start) => start === '* point ').length).toBeGreaterThan(10)
    expect(points.filter((start) => start !== '* point ')).toEqual([])
  })

  test('whatever a document is made of, its pieces are in order and cover it', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '# A',
        '## B',
        '#### C',
        '- item',
        '  - nested',
        '> quote',
        '```',
        '| a | b |',
        '|---|---|',
        '',
        '---',
      ),
      fc.lorem({ maxCount: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        const text = lines.join(end)
        const parsed = parse(markdownParser, text)
        expectOutline(parsed)
        if (parsed.metadata !== undefined || /^---|<!--|[<[]/.test(text) || text !== parsed.text) return
        const covered = parsed.pieces.reduce(
          (sum, { start, end }) => sum + text.slice(start, end).replace(/\s/g, '').length,
          0,
        )
        expect(covered).toBe(text.replace(/\s/g, '').length)
      }),
      { numRuns: 300, seed: 1 },
    )
  })
})

describe('HTML', () => {
  const page = `<!doctype html><title>Manual</title><nav>Home</nav><script>x()</script>
    <main><h1>Kettle <a href="#">¶</a></h1><p>Boils   <b>water</b>.</p>
    <ul><li>Lid</li><li>Base<ul><li>Foot</li></ul></li></ul><h2>Care</h2>
    <pre>make\n  clean</pre><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
    <div hidden>secret</div></main><footer>imprint</footer>`

  test('the main content is read, and nothing around it', () => {
    const parsed = parse(htmlParser, page)
    expect(parsed.title).toBe('Manual')
    expect(contents(parsed)).toEqual([
      '# Kettle\n\nBoils water.\n\n- Lid\n- Base\n- Foot',
      '## Care\n\nmake\n  clean\n\na | b\n1 | 2',
    ])
    expect(outline(parsed)).toEqual([
      [1, undefined, 'Kettle'],
      [2, 0, 'Care'],
    ])
  })

  test('menus, banners and tables of contents of pages without <main> are passed over', () => {
    const parsed = parse(
      htmlParser,
      `<body class="has-sidebar"><div role="banner">Slogan</div><div class="menu mainmenu"><ul><li>Home</ul></div>
      <div class="nosearch"><h1>Kettle</h1></div><div class="fancy_toc"><a href="#care">Care</a></div>
      <p>Boils water.</p><div class="sidebar">Adverts</div><div role="contentinfo">imprint</div>`,
    )
    // What has the heading of the page is its content, whatever its class says.
    expect(contents(parsed)).toEqual(['# Kettle\n\nBoils water.'])
  })

  test('a page that is nothing but a menu is read', () => {
    const parsed = parse(htmlParser, '<ul class="menu"><li><a href="a">Kettles</a><li><a href="b">Pots</a></ul>')
    expect(contents(parsed)).toEqual(['- Kettles\n- Pots'])
  })

  test('whatever a page is made of, its pieces are in order', () => {
    const tag = fc.constantFrom(
      'p',
      'div',
      'h1',
      'h3',
      'ul',
      'li',
      'table',
      'tr',
      'td',
      'pre',
      'b',
      'br',
      'main',
      'script',
    )
    const piece = fc.oneof(
      tag.map((name) => `<${name}>`),
      tag.map((name) => `</${name}>`),
      fc.lorem({ maxCount: 30 }),
      fc.string({ maxLength: 20 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), (parts) => {
        expectOutline(parse(htmlParser, parts.join('')))
      }),
      { numRuns: 300, seed: 1 },
    )
  })

  test('a page with elements within each other hundreds deep is read, and thousands deep refused', () => {
    const nested = (depth: number) => `${'<div>'.repeat(depth)}deep${'</div>'.repeat(depth)}<p>after</p>`
    expect(contents(parse(htmlParser, nested(500)))).toEqual(['deep\n\nafter'])
    expect(() => parse(htmlParser, nested(5_000))).toThrow(
      expect.objectContaining({ code: 'AGIDB_PARSE', message: expect.stringContaining('512 deep') as string }),
    )
  })
})

describe('plain text', () => {
  test('paragraphs share a passage while it is short, and an underlined line is a heading', () => {
    const parsed = parse(textParser, 'Kettle\n======\n\nBoils water.\n\nDescale it.\n\nCare\n----\nTwice a year.\n')
    expect(contents(parsed)).toEqual(['Kettle\n======\n\nBoils water.\n\nDescale it.', 'Care\n----\nTwice a year.'])
    expect(outline(parsed)).toEqual([
      [1, undefined, 'Kettle'],
      [2, 0, 'Care'],
    ])
  })

  test('whatever a text is made of, its pieces are in order and cover it', () => {
    const line = fc.oneof(
      fc.constantFrom('', '===', '---', ' '),
      fc.lorem({ maxCount: 90 }),
      fc.string({ unit: 'grapheme' }),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const text = lines.join('\n')
        const parsed = parse(textParser, text)
        expectOutline(parsed)
        const covered = contents(parsed).join('').replace(/\s/g, '')
        expect(covered).toBe(parsed.text.replace(/\s/g, ''))
      }),
      { numRuns: 300, seed: 1 },
    )
  })
})

test('the parser is that of the name, of the ending, or of what the document looks like', () => {
  expect(formatOf('a/b/Guide.MD', undefined, '')).toBe('markdown')
  expect(formatOf('https://a.org/page.html?x#y', undefined, '')).toBe('html')
  expect(formatOf('https://a.org/page', undefined, ' <!DOCTYPE html><p>')).toBe('html')
  expect(formatOf('notes', undefined, 'x')).toBe('text')
  expect(formatOf('notes', 'markdown', 'x')).toBe('markdown')
  expect(() => formatOf('notes', 'docx', 'x')).toThrow(expect.objectContaining({ code: 'AGIDB_PARSE' }))
})
