import { beforeAll, describe, expect, it } from 'vitest'
import { Agidb } from '../../../src/runtimes/node/index.js'
import { agidb, agidbWith, scratch } from './agidb.js'

const files = scratch()
const path = files.path('memory')
const LINE = '{"speaker":"Tom","text":"The train to Goa leaves from platform four.","at":"2026-05-01T12:00:00Z"}\n'
const right = { AGIDB_MEMORY_PASSPHRASE: 'a passphrase of the test' }

describe('commands on a memory that is encrypted with a passphrase', () => {
  beforeAll(async () => {
    const encryption = { passphrase: right.AGIDB_MEMORY_PASSPHRASE }
    const db = await Agidb.open({ path, codebook: 'none', encryption })
    await db.observe('There is a thai place in Bandra called Bawri.', { id: 'bawri', speaker: 'Sarah' })
    await db.close()
  })

  it('take it from the environment', async () => {
    const { code, out } = await agidbWith(right, 'recall', 'where is the thai place?', '--db', path)
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('Bawri') as string })
    const later = files.write('later.jsonl', LINE)
    expect(await agidbWith(right, 'remember', later, '--db', path)).toMatchObject({ code: 0 })
    const stats = await agidbWith(right, 'stats', '--db', path, '--json')
    expect(JSON.parse(stats.out)).toMatchObject({ episodes: 2, encryption: { kind: 'passphrase' } })
  })

  it('say how to give it where it is missing, and change nothing with a wrong one', async () => {
    const missing = await agidb('history', '--db', path)
    expect(missing.code).not.toBe(0)
    expect(missing.err).toMatch(
      /set the environment variable AGIDB_MEMORY_PASSPHRASE, or run the command in a terminal/,
    )
    const wrong = await agidbWith({ AGIDB_MEMORY_PASSPHRASE: 'another' }, 'history', '--db', path)
    expect(wrong.code).not.toBe(0)
    expect(wrong.err).toMatch(/this is not the passphrase of the memory; nothing was opened/)
  })

  it('make a sealed export, which that memory alone can import', async () => {
    const [file, other] = [files.path('sealed.agidb'), files.path('other')]
    const made = await agidbWith(right, 'export', file, '--db', path, '--sealed')
    expect(made).toMatchObject({ code: 0, out: expect.stringContaining(', sealed') as string })
    const back = await agidbWith(right, 'import', file, '--db', path, '--replace', '--json')
    expect(JSON.parse(back.out)).toMatchObject({ forgotten: 0 })
    expect(await agidbWith(right, 'import', file, '--db', other)).toMatchObject({
      code: 1,
      err: expect.stringContaining('keys.agidb') as string,
    })
  })

  it('encrypt no memory that is not encrypted', async () => {
    const plain = files.path('plain')
    const text = files.write('line.jsonl', LINE)
    expect(await agidbWith(right, 'remember', text, '--db', plain)).toMatchObject({ code: 0 })
    const stats = await agidb('stats', '--db', plain, '--json')
    expect(JSON.parse(stats.out)).toMatchObject({ encryption: { kind: 'none' } })
  })
})
