import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Entry, EntryMatch, EntryTree } from '../../../src/api/entry.js'
import { paragraph, pdfFile } from '../../unit/documents/pdf-file.js'
import { agidb, outcomeOf, scratch, start } from './agidb.js'

const { path } = scratch()
let count = 0

const KETTLE = '# Kettle\n\n## Descaling\n\nBoil water with vinegar.\n\n## Warranty\n\nTwo years.\n'

function documents(): { readonly files: string; readonly db: string } {
  const files = path(`manuals-${++count}`)
  mkdirSync(join(files, 'node_modules'), { recursive: true })
  writeFileSync(join(files, 'kettle.md'), KETTLE)
  writeFileSync(join(files, 'printer.html'), '<h1>Printer</h1><p>Open the rear door when paper is stuck.</p>')
  writeFileSync(join(files, 'node_modules', 'other.md'), '# Not mine')
  writeFileSync(join(files, 'picture.png'), 'no document')
  return { files, db: path(`memory-${count}`) }
}

test('documents of a folder are stored, found, listed and shown as outlines', async () => {
  const { files, db } = documents()
  const added = await agidb('add', files, '--db', db, '--perspective', 'knowledge', '--json')
  expect(added).toMatchObject({ code: 0, err: '' })
  expect((JSON.parse(added.out) as { documents: unknown[] }).documents).toMatchObject([
    { source: join(files, 'kettle.md'), added: 3, kept: 0 },
    { source: join(files, 'printer.html'), added: 1, kept: 0 },
  ])
  const again = await agidb('add', files, '--db', db)
  expect(again.out).toContain('2 documents')
  expect(again.out).toContain('0 entries added, 4 as before, 0 superseded')

  const found = await agidb('search', 'vinegar', '--db', db, '-k', '1', '--json')
  const [match] = JSON.parse(found.out) as EntryMatch[]
  expect(match.entry.path).toBe('Kettle > Descaling')
  expect(KETTLE.slice(match.entry.startOffset, match.entry.endOffset)).toBe(match.entry.content)
  expect((await agidb('search', 'paper is stuck', '--db', db, '-k', '1')).out).toContain('printer.html:0-')

  const tree = JSON.parse((await agidb('tree', join(files, 'kettle.md'), '--db', db, '--json')).out) as EntryTree[]
  expect(tree[0].children.map(({ entry }) => entry.heading)).toEqual(['Descaling', 'Warranty'])
  expect((await agidb('tree', '--db', db)).out).toBe(
    `${join(files, 'kettle.md')}  3\n${join(files, 'printer.html')}  1\n`,
  )
  const entries = JSON.parse((await agidb('browse', '--db', db, '--json')).out) as Entry[]
  expect(entries).toHaveLength(4)
  expect(entries[0].perspectives).toEqual(['knowledge'])
  expect((await agidb('identity', '--db', db)).out).toContain('Core knowledge:')
})

test('PDF and source code are stored: the code of a folder where it is asked for', async () => {
  const { files, db } = documents()
  const page = [{ text: 'Report', size: 20, y: 700 }, ...paragraph(660, 'The turbine was replaced in May.')]
  writeFileSync(join(files, 'report.pdf'), pdfFile([page]))
  writeFileSync(join(files, 'broken.pdf'), 'no PDF')
  writeFileSync(join(files, 'boil.ts'), '/** Boils water. */\nexport function boil() {}\n')
  const added = await agidb('add', files, '--db', db, '--json')
  expect(added.code).toBe(1)
  expect(JSON.parse(added.out)).toMatchObject({
    documents: [{ added: 3 }, { added: 1 }, { source: join(files, 'report.pdf'), added: 1 }],
    failed: [{ source: join(files, 'broken.pdf'), code: 'AGIDB_PARSE' }],
  })
  const code = await agidb('add', files, '--parser', 'code', '--db', db, '--json')
  expect(JSON.parse(code.out)).toMatchObject({ documents: [{ source: join(files, 'boil.ts'), added: 1 }], failed: [] })
  const found = async (query: string) => (await agidb('search', query, '--db', db, '-k', '1')).out
  expect(await found('when was the turbine replaced')).toContain('report.pdf')
  expect(await found('boils water')).toContain('boil.ts')
})

test('perspectives and aging are shown and changed', async () => {
  const { files, db } = documents()
  await agidb('add', join(files, 'kettle.md'), '--db', db)
  const defined = await agidb('perspectives', '--define', 'kitchen', '--hint', 'Kettles', '--db', db)
  expect(defined.out).toContain('kitchen: Kettles')
  expect((await agidb('perspectives', '--remove', 'people', '--db', db)).code).toBe(1)
  const aging = await agidb('aging', '--after-days', '0', '--apply', '--json', '--db', db)
  expect(JSON.parse(aging.out)).toMatchObject({ config: { degradeAfterDays: 0 } })
})

test('a memory is thought about without a model, and reflect says what it needs', async () => {
  const { files, db } = documents()
  await agidb('add', join(files, 'kettle.md'), '--db', db)
  expect((await agidb('think', '--db', db)).out).toContain('3 entries (normal 3), 0 open threads, last thought never')
  expect((await agidb('think', 'discover', '--db', db)).out).toContain('no entries are alike')
  expect(JSON.parse((await agidb('think', 'consolidate', '--json', '--db', db)).out)).toMatchObject({ entries: [] })
  expect(await agidb('think', 'reflect', '--llm', 'claude', '--db', db)).toMatchObject({ code: 2, out: '' })
  const unreachable = await agidb('think', 'reflect', '--model', 'm', '--url', 'http://127.0.0.1:9', '--db', db)
  expect(unreachable.code).toBe(1)
  expect(unreachable.err).toContain('AGIDB_LLM')
})

test('what is no document, no file and no memory is refused with what would be right', async () => {
  const { files, db } = documents()
  expect(await agidb('add', path('nothing'), '--db', db)).toMatchObject({ code: 1, out: '' })
  expect((await agidb('add', path('nothing'), '--db', db)).err).toContain('there is no file or folder')
  expect((await agidb('search', 'x', '--db', path('none'))).err).toContain('AGIDB_NOT_FOUND')
  writeFileSync(join(files, 'broken.md'), Uint8Array.of(0xff, 0xfe, 0x00))
  const added = await agidb('add', files, '--db', db)
  expect(added.code).toBe(1)
  expect(added.err).toContain('broken.md: the document is no UTF-8')
  expect(added.out).toContain('2 documents')
  expect((await agidb('add', files, '--parser', 'docx', '--db', db)).err).toContain('there is no parser')
})

test('a file that cannot be read is named, and the others are stored', async () => {
  const { files, db } = documents()
  const socket = join(files, 'socket')
  const server = createServer().listen(socket)
  await once(server, 'listening')
  const added = await agidb('add', socket, files, '--db', db, '--json')
  server.close()
  expect(added.code).toBe(1)
  expect(JSON.parse(added.out)).toMatchObject({
    documents: [{ added: 3 }, { added: 1 }],
    failed: [{ source: socket, code: 'AGIDB_PARSE' }],
  })
})

/** Starts `agidb add --watch`, and waits for what it prints. */
function watching(...args: string[]) {
  const child = start('add', '--watch', ...args)
  const ended = outcomeOf(child)
  let said = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text: string) => (said += text))
  return { child, ended, says: (what: string) => expect.poll(() => said).toContain(what) }
}

test('what changes in a watched folder is stored whatever the folder is called, and a file may go', async () => {
  const { files, db } = documents()
  const folder = join(files, '.notes', 'build')
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  writeFileSync(join(folder, 'one.md'), '# One\n\nThe first.\n')
  const { child, ended, says } = watching(folder, '--db', db)
  await says('watching')
  writeFileSync(join(folder, 'node_modules', 'three.md'), '# Three\n')
  writeFileSync(join(folder, 'two.md'), '# Two\n\nThe second.\n')
  await says('two.md: 1 added')
  rmSync(join(folder, 'one.md'))
  await says('one.md: the file cannot be read')
  writeFileSync(join(folder, 'four.md'), '# Four\n\nThe fourth.\n')
  await says('four.md: 1 added')
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ code: 0, out: expect.not.stringContaining('three.md') as string })
})

test('a watched file may go, and is stored each time that another takes its place', async () => {
  const { files, db } = documents()
  const file = join(files, 'kettle.md')
  const { child, ended, says } = watching(file, '--db', db)
  await says('watching')
  let text = KETTLE
  for (const before of [3, 4]) {
    text += `\n## More\n\nThere were ${before}.\n`
    writeFileSync(join(files, 'kettle.md~'), text)
    renameSync(join(files, 'kettle.md~'), file)
    await says(`1 entry added, ${before} as before`)
  }
  rmSync(file)
  await says('the file cannot be read')
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ code: 0 })
})

test('an interruption while the last document is stored ends a command that was to watch it', async () => {
  const { files, db } = documents()
  const pipe = join(files, 'pipe.md')
  execFileSync('mkfifo', [pipe])
  const { child, ended } = watching(pipe, '--db', db)
  // The command reads it now, and hears of nothing else until it has read it.
  const writing = await open(pipe, 'w')
  child.kill('SIGINT')
  await writing.writeFile(KETTLE)
  await writing.close()
  expect(await ended).toMatchObject({ code: 0 })
})
