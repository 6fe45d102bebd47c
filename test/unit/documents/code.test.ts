import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeParser as inBrowser } from '../../../src/documents/code/browser.js'
import { codeParserFrom } from '../../../src/documents/code/code.js'
import { LANGUAGES } from '../../../src/documents/code/languages.js'
import { codeParser } from '../../../src/documents/code/node.js'
import { openMemory } from '../engine/open.js'
import { expectOutline } from './outline-laws.js'

const parser = codeParser()
const long = (line: string) => `${line}\n`.repeat(120)

/** For each language a file with a function and a long class or its like, and the headings that it has. */
const FILES: readonly [string, string, readonly (string | undefined)[]][] = [
  [
    'a.ts',
    `import { a } from 'a'\n\n/** Adds. */\nexport function add(a: number) {\n  return a\n}\n\n` +
      `export const twice = (a: number) => 2 * a\n\nconst LIMIT = 3\n\n@sealed\nexport class Sum {\n  #all = 0\n` +
      `  /** Takes one in. */\n  take(a: number) {\n${long('    this.#all += a')}  }\n  get() {\n` +
      `    return 1\n  }\n}\n`,
    [undefined, 'add', 'twice', undefined, 'Sum', undefined, 'take', 'get'],
  ],
  ['a.tsx', `export function Card() {\n  return <b>yes</b>\n}\ninterface Props { a: string }\n`, ['Card', 'Props']],
  ['a.js', `export default class Door {\n  open() {}\n}\nfunction* all() {\n  yield 1\n}\n`, ['Door', 'all']],
  [
    'a.py',
    `import os\n\n\n@cache\ndef add(a):\n    """Adds."""\n    return a\n\n\nclass Sum:\n    """A sum."""\n\n` +
      `    def take(self, a):\n${long('        self.all += a')}\n    def get(self):\n        return 1\n`,
    [undefined, 'add', 'Sum', undefined, 'take', 'get'],
  ],
  [
    'a.rs',
    `//! Sums.\nuse std::fmt;\n\n/// A sum.\n#[derive(Clone)]\npub struct Sum {\n    all: u32,\n}\n\n` +
      `impl fmt::Display for Sum {\n` +
      `    fn fmt(&self) {\n${long('        self.all();')}    }\n}\n\npub fn add(a: u32) -> u32 {\n    a\n}\n`,
    [undefined, 'Sum', 'fmt::Display for Sum', 'fmt', 'add'],
  ],
  [
    'a.go',
    'package sum\n\ntype Sum struct {\n\tall int\n}\n\n// Take takes one in.\n' +
      'func (s *Sum) Take(a int) {\n\ts.all += a\n}\n',
    [undefined, 'Sum', 'Take'],
  ],
  [
    'A.java',
    `package a;\n\n/** A sum. */\npublic class Sum {\n  void take(int a) {\n` +
      `${long('    all += a;')}  }\n  int get() { return 1; }\n}\n`,
    [undefined, 'Sum', 'take', 'get'],
  ],
  [
    'A.cs',
    `using System;\n\nnamespace A {\n  class Sum {\n    void Take(int a) {\n` +
      `${long('      all += a;')}    }\n  }\n}\n`,
    [undefined, 'A', 'Sum', 'Take'],
  ],
  [
    'a.cpp',
    '#include <a>\n\n// Adds.\nint add(int a) {\n  return a;\n}\nstruct Sum {\n  int all;\n};\n',
    [undefined, 'add', 'Sum'],
  ],
  [
    'a.php',
    '<?php\nfunction add($a) {\n  return $a;\n}\nclass Sum {\n  function take() {}\n}\n',
    [undefined, 'add', 'Sum'],
  ],
  [
    'a.rb',
    `require 'a'\n\n# A sum.\nclass Sum\n  def take(a)\n${long('    @all += a')}  end\n\n` +
      `  def self.get\n    1\n  end\nend\n`,
    [undefined, 'Sum', 'take', 'get'],
  ],
  ['a.sh', '#!/bin/sh\nset -e\n\n# Adds.\nadd() {\n  echo "$1"\n}\nadd 1\n', [undefined, 'add', undefined]],
]

describe('source code', () => {
  test('there is an example of every language', () => {
    const endings = FILES.map(([name]) => name.split('.')[1])
    expect(LANGUAGES.filter(({ extensions }) => !extensions.some((one) => endings.includes(one)))).toEqual([])
  })

  test.each(FILES)('%s: each declaration is a section with its name', async (name, text, headings) => {
    const parsed = await parser.parse(text, name)
    expectOutline(parsed)
    expect(parsed.pieces.filter(({ level }) => level < 7).map(({ heading }) => heading)).toEqual(headings)
  })

  test('a section has the comments above it and stands in what it is a member of', async () => {
    const [name, text] = FILES[0]
    const { pieces } = await parser.parse(text, name)
    const contentOf = (title: string) => {
      const { start, end } = pieces.find(({ heading }) => heading === title)!
      return text.slice(start, end)
    }
    expect(contentOf('add')).toBe('/** Adds. */\nexport function add(a: number) {\n  return a\n}')
    expect(contentOf('take')).toMatch(/^\/\*\* Takes one in\. \*\/\n {2}take\(a: number\) \{\n/)
    expect(contentOf('Sum')).toBe('@sealed\nexport class Sum {')
    const take = pieces.find(({ heading }) => heading === 'take')!
    expect(pieces[take.parent!].heading).toBe('Sum')
  })

  test('a class whose head has several lines is read with all of them', async () => {
    const head = 'export class Sum<\n  A extends string,\n>\n  extends Base<A>\n  implements Adding, Taking {'
    const text = `${head}\n  take(a: number) {\n${'    this.all += a\n'.repeat(90)}  }\n}\n`
    const parsed = await parser.parse(text, 'a.ts')
    expectOutline(parsed)
    expect(parsed.pieces.map(({ start, end }) => text.slice(start, end))[0]).toBe(head)
  })

  test.each([0, 1])('a long signature is cut between characters: %i before it', async (before) => {
    const text = `const told = (${'a'.repeat(before)} = '${'🍵'.repeat(2500)}') => {\n  return 1\n}\n`
    const parsed = await parser.parse(text, 'a.ts')
    expectOutline(parsed)
    expect(parsed.pieces.map(({ start, end }) => text.slice(start, end)).join('')).toContain('🍵'.repeat(2500))
  })

  test('every source file of the documents floor is read, nearly all of it', async () => {
    const folder = 'src/memory/documents'
    for (const name of readdirSync(folder)) {
      const text = readFileSync(join(folder, name), 'utf8')
      const parsed = await parser.parse(text, name)
      expectOutline(parsed)
      const covered = parsed.pieces.reduce((sum, { start, end }) => sum + end - start, 0)
      // What is left are blank lines and the braces that end classes.
      expect(covered / text.trim().length).toBeGreaterThan(0.95)
    }
  })

  test('whatever a text is, its pieces are in order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...FILES),
        fc.array(fc.oneof(fc.string(), fc.constantFrom('{', '}', '/*', 'class ', 'def ', '\n', '😀')), {
          maxLength: 8,
        }),
        fc.nat(100),
        async ([name, text], noise, at) => {
          const where = Math.floor((text.length * at) / 100)
          const broken = text.slice(0, where) + noise.join('') + text.slice(where)
          expectOutline(await parser.parse(broken, name))
        },
      ),
      { numRuns: 100 },
    ))

  test('is stored and found by what its comments say', async () => {
    const db = await openMemory({ extract: 'none' })
    const [name, text] = FILES[0]
    await db.entries.ingest(await parser.parse(text, name), { source: name })
    const [{ entry }] = await db.entries.search('takes one in')
    expect(entry).toMatchObject({ source: name, heading: 'take', path: 'Sum > take' })
    await db.close()
  })

  test('what cannot be read is refused, and says what would do', async () => {
    const refused = (parse: () => unknown, code: string, message: string) =>
      expect(Promise.resolve().then(parse)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(message) as string,
      })
    await refused(() => parser.parse('x', 'a.cobol'), 'AGIDB_PARSE', 'typescript')
    await refused(() => parser.parse(Uint8Array.of(0xff, 0xfe, 0xff), 'a.ts'), 'AGIDB_PARSE', 'UTF-8')
    await refused(() => inBrowser({} as never), 'AGIDB_INVALID_ARGUMENT', 'file(name)')
    let fails = true
    const away = codeParserFrom(async (name) => {
      if (fails && name !== 'tree-sitter.wasm') throw new Error('404')
      return readFileSync(join('node_modules/@vscode/tree-sitter-wasm/wasm', name))
    })
    await refused(() => away.parse('fn a() {}', 'a.rs'), 'AGIDB_PARSE', 'tree-sitter-rust.wasm is not at hand')
    fails = false
    expect((await away.parse('fn a() {}', 'a.rs')).pieces).toHaveLength(1)
  })
})
