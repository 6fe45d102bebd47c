import { readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { agidb, outcomeOf, scratch, start } from './agidb.js'

const files = scratch()
const [db, copy, backup] = ['memory', 'copy', 'backup.agidb'].map(files.path)

test('a memory goes into a file and out of it, through pipes and encrypted', async () => {
  const chat = files.write('chat.jsonl', '{"speaker":"Sarah","text":"There is a thai place in Bandra called Bawri."}\n{"text":"The train to Goa leaves at seven."}\n')
  expect((await agidb('remember', chat, '--db', db)).code).toBe(0)
  expect((await agidb('export', backup, '--db', db)).out).toMatch(/^[\d,]+ bytes in .*backup\.agidb\n$/)
  expect(statSync(backup).mode & 0o777).toBe(0o600)

  expect((await agidb('import', backup, '--db', copy)).out).toBe(`2 memories in ${copy}\n`)
  expect(await agidb('import', backup, '--db', copy)).toMatchObject({ code: 1, err: expect.stringContaining('AGIDB_NOT_EMPTY') })
  expect(JSON.parse((await agidb('import', backup, '--db', copy, '--replace', '--json')).out)).toMatchObject({ format: 'agidb', episodes: 2 })
  expect((await agidb('recall', 'a thai place', '--db', copy)).out).toContain('Bawri')

  const lines = await agidb('export', '-', '--db', db, '--format', 'jsonl')
  expect(lines.out.trimEnd().split('\n').map((line) => (JSON.parse(line) as { text: string }).text)).toEqual(['There is a thai place in Bandra called Bawri.', 'The train to Goa leaves at seven.'])
  const piped = start('import', '-', '--db', files.path('piped'))
  piped.stdin!.end(lines.out)
  expect((await outcomeOf(piped)).out).toContain('2 memories')

  const secret = files.write('secret.txt', 'correct horse\n')
  const sealed = files.path('sealed.agidb')
  expect((await agidb('export', sealed, '--db', db, '--encrypt', '--passphrase-file', secret)).out).toContain(', encrypted')
  expect(readFileSync(sealed, 'latin1')).not.toContain('Bawri')
  expect(await agidb('import', sealed, '--db', files.path('none'))).toMatchObject({ code: 1, err: expect.stringContaining('AGIDB_PASSPHRASE') })
  expect((await agidb('import', sealed, '--db', files.path('opened'), '--passphrase-file', secret)).out).toContain('2 memories')
})

test('what was typed wrongly is said, and makes no files', async () => {
  expect(await agidb('export', files.path('x.agidb'), '--db', files.path('nothing'))).toMatchObject({ code: 1, err: expect.stringContaining('AGIDB_NOT_FOUND') })
  expect(await agidb('export', files.path('x.agidb'), '--db', db, '--encrypt')).toMatchObject({ code: 2, err: expect.stringContaining('--passphrase-file') })
  expect(await agidb('import', files.path('x.agidb'), '--db', copy)).toMatchObject({ code: 1, err: expect.stringContaining('there is no file') })
  expect(await agidb('export', files.path('x.agidb'), '--db', db, '--format', 'xml')).toMatchObject({ code: 2 })
})
