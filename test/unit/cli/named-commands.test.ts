import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { program } from '../../../src/cli/program.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** A use of the command line in a text: where it stands, the command, and its options. */
interface Use {
  readonly place: string
  readonly command: string
  readonly flags: readonly string[]
}

/** The uses of `agidb COMMAND` in a line. */
function usesIn(line: string, place: string): Use[] {
  return [...line.matchAll(/\bagidb ([a-z]+)([^`;|]*)/g)].map(([, command, rest]) => ({
    place,
    command: command!,
    flags: [...rest!.matchAll(/(?<=\s)--[a-z-]+/g)].map(([flag]) => flag),
  }))
}

/** The string literals of TypeScript, as lines: a comment may say what it likes of agidb. */
function messagesOf(text: string): string[] {
  return text.split('\n').filter((line) => /['"`]|^ {2}\$ agidb/.test(line) && !/^\s*(?:\*|\/\/|\/\*\*)/.test(line))
}

/** The code spans and the indented code of Markdown that begin with `agidb` or `npx agidb`. */
function commandsOf(text: string): string[] {
  const spans = [...text.matchAll(/`((?:npx )?agidb [^`]+)`/g)].map(([, code]) => code!.replace(/\s+/g, ' '))
  const lines = text.split('\n').filter((line) => /^ {4}(?:\$ )?(?:npx )?agidb [a-z]/.test(line))
  return [...spans, ...lines]
}

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('node_modules'))
    .map((name) => join(folder, name))
}

function uses(files: readonly string[], linesOf: (text: string) => string[]): Use[] {
  return files.flatMap((file) =>
    linesOf(readFileSync(join(ROOT, file), 'utf8')).flatMap((line) => usesIn(line, `${file}: ${line.trim()}`)),
  )
}

/** The uses that name a command or an option that there is not. */
function unknown(found: readonly Use[]): string[] {
  const commands = new Map(program().commands.map((command) => [command.name(), command]))
  return found
    .filter(({ command, flags }) => {
      const known = commands.get(command)?.options.map(({ long }) => long) ?? []
      return !commands.has(command) || flags.some((flag) => flag !== '--help' && !known.includes(flag))
    })
    .map(({ place }) => place)
}

test('every command and option that the command line names in its messages exists', () => {
  const found = uses(filesIn('src/cli', '.ts'), messagesOf)
  expect(found.length).toBeGreaterThan(40)
  expect(unknown(found)).toEqual([])
})

test('every command that other messages of the library name with an option exists', () => {
  const found = uses(filesIn('src', '.ts'), messagesOf).filter(({ flags }) => flags.length > 0)
  expect(found.map(({ place }) => place).join('\n')).toContain('src/engine/stats.ts')
  expect(unknown(found)).toEqual([])
})

test('every command and option that the documentation names exists', () => {
  // The page of the format has texts in files that begin with the same word.
  const docs = filesIn('docs', '.md').filter((page) => page !== 'docs/format.md')
  const pages = ['README.md', 'CHANGELOG.md', ...docs, ...filesIn('examples', '.md')]
  const found = uses(pages, commandsOf)
  expect(found.length).toBeGreaterThan(60)
  expect(unknown(found)).toEqual([])
})

test('every command takes --json', () => {
  const without = program().commands.filter(({ commands, options }) => {
    return commands.length === 0 && !options.some(({ long }) => long === '--json')
  })
  expect(without.map((command) => command.name())).toEqual([])
})

test('a command or an option that does not exist is found', () => {
  expect(unknown(usesIn('agidb erase --db x', 'first'))).toEqual(['first'])
  expect(unknown(usesIn('agidb forget --session s --harder', 'second'))).toEqual(['second'])
  expect(unknown(usesIn('agidb recall --json --help', 'third'))).toEqual([])
})
