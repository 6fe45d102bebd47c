import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, inject, test } from 'vitest'
import type { Recall } from '../../../src/api/recall.js'
import { Agidb } from '../../../src/runtimes/node/index.js'
import { agidb, agidbWith, outcomeOf, scratch, start } from './agidb.js'

const files = scratch()
const [db, copy, backup] = ['memory', 'copy', 'backup.agidb'].map(files.path)

test('a memory goes into a file and out of it, through pipes and encrypted', async () => {
  const chat = files.write(
    'chat.jsonl',
    '{"speaker":"Sarah","text":"There is a thai place in Bandra called Bawri."}\n{"text":"The train to Goa ' +
      'leaves at seven."}\n',
  )
  expect((await agidb('remember', chat, '--db', db)).code).toBe(0)
  expect((await agidb('export', backup, '--db', db)).out).toMatch(/^[\d,]+ bytes in .*backup\.agidb\n$/)
  expect(statSync(backup).mode & 0o777).toBe(0o600)

  expect((await agidb('import', backup, '--db', copy)).out).toBe(`2 memories in ${copy}\n`)
  expect(await agidb('import', backup, '--db', copy)).toMatchObject({
    code: 1,
    err: expect.stringContaining('AGIDB_NOT_EMPTY'),
  })
  expect(JSON.parse((await agidb('import', backup, '--db', copy, '--replace', '--json')).out)).toMatchObject({
    format: 'agidb',
    episodes: 2,
  })
  expect((await agidb('recall', 'a thai place', '--db', copy)).out).toContain('Bawri')

  const lines = await agidb('export', '-', '--db', db, '--format', 'jsonl')
  expect(
    lines.out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { text: string }).text),
  ).toEqual(['There is a thai place in Bandra called Bawri.', 'The train to Goa leaves at seven.'])
  const piped = start('import', '-', '--db', files.path('piped'))
  piped.stdin!.end(lines.out)
  expect((await outcomeOf(piped)).out).toContain('2 memories')

  const secret = files.write('secret.txt', 'correct horse\n')
  const sealed = files.path('sealed.agidb')
  expect((await agidb('export', sealed, '--db', db, '--encrypt', '--passphrase-file', secret)).out).toContain(
    ', encrypted',
  )
  expect(readFileSync(sealed, 'latin1')).not.toContain('Bawri')
  expect(await agidb('import', sealed, '--db', files.path('none'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('AGIDB_PASSPHRASE'),
  })
  expect((await agidb('import', sealed, '--db', files.path('opened'), '--passphrase-file', secret)).out).toContain(
    '2 memories',
  )
})

test('a reader of an export that goes away is no error', async () => {
  const line = JSON.stringify({ text: 'The train to Goa leaves at seven. '.repeat(50) })
  const long = files.path('long')
  expect((await agidb('remember', files.write('long.jsonl', `${line}\n`.repeat(500)), '--db', long)).code).toBe(0)
  const child = start('export', '-', '--db', long, '--format', 'jsonl')
  child.stdout!.once('data', () => child.stdout!.destroy())
  expect(await outcomeOf(child)).toMatchObject({ code: 0, err: '' })
})

test('what was typed wrongly is said, and makes no files', async () => {
  expect(await agidb('export', files.path('x.agidb'), '--db', files.path('nothing'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('AGIDB_NOT_FOUND'),
  })
  expect(await agidb('export', files.path('x.agidb'), '--db', db, '--encrypt')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--passphrase-file'),
  })
  expect(await agidb('import', files.path('x.agidb'), '--db', copy)).toMatchObject({
    code: 1,
    err: expect.stringContaining('there is no file'),
  })
  expect(await agidb('export', files.path('x.agidb'), '--db', db, '--format', 'xml')).toMatchObject({ code: 2 })
})

test('an import that is refused at the beginning of its file makes no memory', async () => {
  const secret = files.write('right.txt', 'correct horse\n')
  const sealed = files.path('sealed-once.agidb')
  expect((await agidb('export', sealed, '--db', db, '--encrypt', '--passphrase-file', secret)).code).toBe(0)
  const fresh = files.path('fresh')
  for (const args of [
    [files.write('notes.txt', 'No export at all.\n'.repeat(100))],
    [files.write('empty.agidb', '')],
    [files.write('bad.jsonl', '{"text": 7}\n')],
    [sealed],
    [sealed, '--passphrase-file', files.write('wrong.txt', 'battery staple\n')],
  ]) {
    const { code, err } = await agidb('import', ...args, '--db', fresh)
    expect({ args, code, err }).toMatchObject({ code: 1, err: expect.stringContaining('AGIDB_') })
    expect({ args, made: existsSync(fresh) }).toEqual({ args, made: false })
  }
  expect((await agidb('import', sealed, '--passphrase-file', secret, '--db', fresh)).out).toContain('2 memories')
})

test('AGIDB_PASSPHRASE encrypts an export as --encrypt does; --no-encrypt writes it in plain', async () => {
  const secret = { AGIDB_PASSPHRASE: 'correct horse' }
  const sealed = files.path('by-variable.agidb')
  expect((await agidbWith(secret, 'export', sealed, '--db', db)).out).toContain(', encrypted')
  expect(readFileSync(sealed, 'latin1')).not.toContain('Bawri')
  expect((await agidbWith(secret, 'import', sealed, '--db', files.path('by-variable'))).out).toContain('2 memories')

  const plain = files.path('plain.agidb')
  expect((await agidbWith(secret, 'export', plain, '--db', db, '--no-encrypt')).out).not.toContain('encrypted')
  expect(readFileSync(plain, 'latin1')).toContain('Bawri')

  const lines = await agidbWith(secret, 'export', files.path('lines.jsonl'), '--db', db, '--format', 'jsonl')
  expect(lines).toMatchObject({ code: 2, err: expect.stringContaining('--no-encrypt') })
  expect(existsSync(files.path('lines.jsonl'))).toBe(false)
  expect(
    await agidb('export', plain, '--db', db, '--no-encrypt', '--passphrase-file', files.write('p.txt', 'p\n')),
  ).toMatchObject({ code: 2, err: expect.stringContaining('--passphrase-file') })
})

test('an export never writes through a link that somebody planted beside it', async () => {
  const victim = files.write('victim.txt', 'mine')
  const target = files.path('planted.agidb')
  const child = start('export', target, '--db', db)
  symlinkSync(victim, `${target}.${child.pid}.tmp`)
  child.stdin!.end()
  expect((await outcomeOf(child)).code).toBe(0)
  expect(readFileSync(victim, 'utf8')).toBe('mine')
  expect((await agidb('import', target, '--db', files.path('planted'))).code).toBe(0)
})

test.skipIf(process.platform === 'win32')('an export does not replace a pipe', async () => {
  const pipe = files.path('pipe')
  execFileSync('mkfifo', [pipe])
  const refused = await agidb('export', pipe, '--db', db)
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('is a pipe or a device; give a file') })
  expect(statSync(pipe).isFIFO()).toBe(true)
})

test.skipIf(!existsSync('/dev/full'))('output that cannot be written is an error with a code', async () => {
  const out = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [inject('cli'), 'recall', 'thai', '--db', db], {
    stdio: ['ignore', out, 'pipe'],
  })
  let said = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = await once(child, 'close')
  closeSync(out)
  expect(said).toMatch(/^agidb: standard output cannot be written: .*ENOSPC.* \(AGIDB_STORAGE\)\n$/)
  expect(code).toBe(1)
})

test('an interrupted export leaves no file', async () => {
  const large = files.path('large')
  const memory = await Agidb.open({ path: large, codebook: 'none' })
  const items = Array.from({ length: 8000 }, (_, i) => ({ text: `Sentence ${i} of many, said to fill the memory.` }))
  await memory.observeMany(items)
  await memory.close()
  const target = files.path('interrupted.agidb')
  const left = () => readdirSync(dirname(target)).filter((name) => name.includes('interrupted.agidb'))
  const child = start('export', target, '--db', large)
  const ended = outcomeOf(child)
  while (left().length === 0 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1))
  child.kill('SIGINT')
  const { code } = await ended
  // A quick machine may be done before the signal arrives: then the whole export is there.
  expect(left()).toEqual(code === 130 ? [] : ['interrupted.agidb'])
  rmSync(target, { force: true })
})

test('characters that a terminal obeys are escaped in JSON and left out of messages', async () => {
  const obeyed = '\u009b31mred\u202egnp.exe\u2066\u200f\u061c\u007f'
  const noted = files.path('noted')
  const memory = await Agidb.open({ path: noted, codebook: 'none' })
  await memory.observe(`The file is called ${obeyed}.`, { speaker: obeyed, source: obeyed })
  await memory.close()
  const { out } = await agidb('recall', 'what is the file called?', '--db', noted, '--json')
  expect(out).not.toMatch(/[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/)
  expect((JSON.parse(out) as Recall).matches[0].text).toContain(obeyed)
  for (const json of [[], ['--json']]) {
    const { err } = await agidb('recall', 'x', '--db', files.path(`no-${obeyed}`), ...json)
    expect(err).toContain('AGIDB_NOT_FOUND')
    expect(err).not.toMatch(/[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/)
  }
})
