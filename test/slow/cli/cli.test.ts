import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Stats } from '../../../src/api/stats.js'
import type { Recall } from '../../../src/api/recall.js'
import { AgidbError } from '../../../src/base/errors.js'
import { openWhenFree } from '../../../src/cli/open.js'
import { Agidb } from '../../../src/runtimes/node/index.js'
import { agidb, agidbWithin, outcomeOf, scratch, start } from './agidb.js'

const CHAT = [
  {
    at: '2026-05-01T19:00:00Z',
    speaker: 'Sarah',
    text: 'There is a thai place in Bandra called Bawri.',
    session: 'dinner',
  },
  { at: '2026-05-01T19:01:00Z', speaker: 'Tom', text: 'The train to Goa leaves from platform four.', session: 'trip' },
  {
    at: '2026-05-02T08:00:00Z',
    speaker: 'Ana',
    text: 'My brother plays the cello \u001b[31min an orchestra.',
    session: 'trip',
  },
].map((line) => JSON.stringify(line))

const files = scratch()
const chat = files.write('chat.jsonl', CHAT.join('\n'))
const db = files.path('memory')
const wire = (text: string) =>
  (JSON.parse(text) as { error: { code: string; message: string; details: Record<string, unknown> } }).error

describe('agidb', () => {
  beforeAll(async () => {
    const { code, out, err } = await agidb('remember', chat, '--db', db)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('chat.jsonl (JSON lines): 3 memories in ')
    expect(out).toContain(`3 memories in ${db}`)
  })

  it('recalls with rank, tier, time and speaker, and hides what a terminal would obey', async () => {
    const { code, out } = await agidb('recall', 'who plays the cello?', '--db', db, '-k', '2', '--why')
    expect(code).toBe(0)
    expect(out).toMatch(/^ {3}1 .* 0\.\d\d {2}\w+ +2026-05-02 08:00:00 UTC {2}Ana\n/)
    expect(out.split('\n')[1]).toBe('      My brother plays the cello [31min an orchestra.')
    expect(out).toMatch(/words +[█-▏]+ +\+0\.\d{3}/)
    expect(out).toContain('session trip, source chat.jsonl')
    expect(out).toContain('2 memories in ')
    expect(out).not.toContain('\u001b')
  })

  it('verifies, says where a damage is, and repairs', async () => {
    const copy = files.path('verified')
    cpSync(db, copy, { recursive: true })
    const well = await agidb('verify', '--db', copy)
    expect(well).toMatchObject({ code: 0, err: '' })
    expect(well.out).toMatch(/^3 rows in \d commits?, .*\nall is well\n$/)
    const journal = join(copy, 'journal.agidb')
    const bytes = readFileSync(journal)
    writeFileSync(journal, bytes.with(20, bytes[20] ^ 1))
    const bad = await agidb('verify', '--db', copy, '--json')
    expect(bad.code).toBe(1)
    expect(JSON.parse(bad.out)).toMatchObject({
      ok: false,
      problems: [{ code: 'journal-header', harm: 'loss', count: 1 }],
      mended: [],
    })
    const mended = await agidb('verify', '--db', copy, '--repair')
    expect(mended).toMatchObject({ code: 0 })
    expect(mended.out).toContain('journal-header, mended: ')
    expect((await agidb('stats', '--db', copy, '--json')).out).toContain('"episodes": 3')
    expect(wire((await agidb('verify', '--db', files.path('nowhere'), '--json')).err).code).toBe('AGIDB_NOT_FOUND')
  }, 120_000)

  it('names the repair also when the damage is met only after the memory was opened', async () => {
    const copy = files.path('damaged')
    cpSync(db, copy, { recursive: true })
    const compacted = await Agidb.open({ path: copy })
    await compacted.compact() // writes a checkpoint, from which it opens without reading the rows
    await compacted.close()
    const journal = ['journal.agidb', 'journal-2.agidb']
      .map((name) => join(copy, name))
      .find((path) => readFileSync(path).includes('Bawri'))!
    const bytes = readFileSync(journal)
    const at = bytes.indexOf('Bawri')
    writeFileSync(journal, bytes.with(at, bytes[at] ^ 1))
    const { code, err } = await agidb('recall', 'which thai place?', '--db', copy)
    expect(code).toBe(1)
    expect(err).toContain('the row there is no longer what was written')
    expect(err).toContain(`; agidb verify --repair --db ${copy} takes over what can be read`)
    expect(err.match(/verify --repair/g)).toHaveLength(1)
  }, 120_000)

  it('passes every filter on', async () => {
    const answer = async (...options: string[]) => {
      const { code, out } = await agidb('recall', 'what thai place was mentioned?', '--db', db, '--json', ...options)
      return { code, matches: (JSON.parse(out) as Recall).matches }
    }
    const all = await answer()
    expect(all.matches).toHaveLength(3)
    expect(all.matches[0]).toMatchObject({ speaker: 'Sarah', at: '2026-05-01T19:00:00.000Z', session: 'dinner' })
    const trip = await answer('--session', 'trip', '--source', 'chat.jsonl', '--tier-floor', 'nearest')
    expect(trip.matches.map(({ speaker }) => speaker).sort()).toEqual(['Ana', 'Tom'])
    const filter = JSON.stringify({ session: 'trip', not: { speaker: 'Tom' } })
    expect((await answer('--filter', filter)).matches.map(({ speaker }) => speaker)).toEqual(['Ana'])
    const refused = await agidb('recall', 'x', '--db', db, '--json', '--filter', '{"or": [{}, {"speeker": "Tom"}]}')
    expect(wire(refused.err).message).toContain('filter.or[1] has no option "speeker"')
    expect((await answer('--speaker', 'Tom', '-k', '1')).matches.map(({ speaker }) => speaker)).toEqual(['Tom'])
    expect((await answer('--valid-as-of', '2026-05-01T19:00:30Z')).matches.map(({ speaker }) => speaker)).toEqual([
      'Sarah',
    ])
    expect(await answer('--transaction-as-of', '2020-01-01')).toEqual({ code: 1, matches: [] })
  })

  it('takes a range of time, a statement alone and a least confidence', async () => {
    const office = files.path('office')
    const triples = [{ subject: 'Ann', predicate: 'rents', object: 'room 4' }]
    const lines = [
      { at: '2026-03-01T09:00:00Z', validTo: '2026-04-01T09:00:00Z', text: 'Ann has room 4 for a month.', triples },
      { at: '2026-05-01T09:00:00Z', text: 'The lift is out of order.' },
      { at: '2026-05-02T09:00:00Z', text: 'Ann has room 4 again.', triples },
    ]
    const said = files.write('office.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(await agidb('remember', said, '--db', office)).toMatchObject({ code: 0 })
    const texts = async (...options: string[]) =>
      (JSON.parse((await agidb('recall', '--db', office, '--json', ...options)).out) as Recall).matches.map(
        ({ text }) => text,
      )
    expect(await texts('--subject', 'ann', '--predicate', 'rents', '--min-confidence', '0.5')).toEqual([lines[2].text])
    expect(await texts('--object', 'room 4', '--valid-as-of', '2026-03-15', '-k', '1')).toEqual([lines[0].text])
    expect(await texts('what is out of order?', '--from', '2026-05-01', '--to', '2026-05-02')).toEqual([lines[1].text])
    const refused = await agidb('recall', 'x', '--db', office, '--json', '--from', '2026-05-02', '--to', '2026-05-01')
    expect(wire(refused.err).message).toBe(
      'at.to is 2026-05-01T00:00:00.000Z, which is not after at.from, 2026-05-02T00:00:00.000Z; expected a later time',
    )
    expect(wire((await agidb('recall', '--db', office, '--json')).err).message).toBe(
      'the cue is undefined; give one, or look for a structured pattern, a picture or a sound',
    )
    const odd = files.write('odd.jsonl', JSON.stringify({ at: '2026-03-01', validTo: '2026-02-01', text: 'x' }))
    expect(wire((await agidb('remember', odd, '--db', office, '--json')).err).message).toContain(
      '"validTo" that is not after its "at"',
    )
  }, 60_000)

  it('recall takes a goal, a writer and a recency weight, and folds near-duplicates by default', async () => {
    const keys = files.path('keys')
    const said = ['2026-05-01', '2026-05-03'].map((day) => ({
      at: `${day}T10:00:00Z`,
      speaker: 'Kim',
      text: 'The keys are in the drawer.',
    }))
    const other = { at: '2026-05-02T10:00:00Z', speaker: 'Lee', text: 'The spare keys are in the garage.' }
    const chat = files.write('keys.jsonl', [...said, other].map((line) => JSON.stringify(line)).join('\n'))
    expect(await agidb('remember', chat, '--db', keys)).toMatchObject({ code: 0 })
    const answer = async (...options: string[]) =>
      JSON.parse(
        (await agidb('recall', 'where did I put the keys?', '--db', keys, '--json', '--ranker', 'fusion', ...options))
          .out,
      ) as Recall
    const plain = await answer()
    expect(plain.matches.map(({ folded }) => folded.length).sort()).toEqual([0, 1])
    expect(plain).not.toHaveProperty('attentionTrace')
    const each = await answer('--no-fold', '--trace')
    expect(each.matches).toHaveLength(3)
    expect(each.attentionTrace?.candidates).toHaveLength(3)
    const aimed = await answer('--goal', 'go to the garage', 'the spare keys', '--goal-bias', '1')
    expect(aimed.matches[0]).toMatchObject({ speaker: 'Lee', goalBiased: true })
    const asked = (await answer('--asker', 'kim', '--recency-window', '0.5')).matches.find(
      ({ speaker }) => speaker === 'Kim',
    )!
    expect(asked.signals.speaker).toBeGreaterThan(0)
    expect(asked.at).toBe('2026-05-03T10:00:00.000Z')
    const { code, out } = await agidb('recall', 'where are the keys?', '--db', keys, '-k', '1', '--trace')
    expect(code).toBe(0)
    expect(out).toMatch(/considered 3 memories\n +1 +\d\.\d{3} {2}0\.\d\d {2}tr_\w+ {2}kept\n/)
    expect(out).toMatch(/ {2}near-duplicate of a better match, tr_\w+\n/)
    expect(out).toMatch(/ {2}below the best 1\n/)
  })

  it('says what the memory holds', async () => {
    const { code, out } = await agidb('stats', '--db', db)
    expect(code).toBe(0)
    expect(out).toMatch(/^memories {7}3$/m)
    expect(out).toMatch(/^durability {5}strict: /m)
    const stats = JSON.parse((await agidb('stats', '--db', db, '--json')).out) as Stats
    expect(stats).toMatchObject({ episodes: 3, sessions: 2, speakers: 3, durability: 'strict' })
  })

  it('does not remember twice, and takes a longer export of the same chat', async () => {
    const twice = files.path('twice')
    expect((await agidb('remember', chat, '--db', twice)).code).toBe(0)
    const again = await agidb('remember', chat, chat, '--db', twice)
    expect(again.out).toContain('0 memories in ')
    expect(again.out).toContain('already known: 3')
    const child = start('remember', '-', '--source', 'chat.jsonl', '--json', '--db', twice)
    child.stdin!.end([...CHAT, JSON.stringify({ text: 'And one more.', session: 'trip' })].join('\n'))
    const { code, out } = await outcomeOf(child)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      episodes: 4,
      files: [{ file: 'standard input', remembered: 1, known: 3, format: 'jsonl' }],
    })
  })

  it('names a bad line, keeps what came before it, and skips it when asked', async () => {
    const bad = files.write('bad.jsonl', [CHAT[0], '{"text": "cut', ...CHAT.slice(1)].join('\n'))
    const kept = files.path('kept')
    const { code, out, err } = await agidb('remember', bad, '--db', kept)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/^agidb: line 2 of bad\.jsonl is no valid JSON; right in JSON lines would be .*\n$/)
    expect(err).toMatch(/ the 1 memory before it is kept .* \(AGIDB_TRANSCRIPT\)\n$/)
    expect(JSON.parse((await agidb('stats', '--db', kept, '--json')).out)).toMatchObject({ episodes: 1 })
    const asJson = await agidb('remember', bad, '--db', kept, '--json')
    expect(wire(asJson.err)).toMatchObject({
      code: 'AGIDB_TRANSCRIPT',
      details: { line: 2, format: 'jsonl', remembered: 0, known: 1 },
    })
    const skipped = await agidb('remember', bad, '--db', kept, '--skip-bad')
    expect(skipped.code).toBe(0)
    expect(skipped.out).toContain('2 memories in ')
    expect(skipped.out).toContain('already known: 1, bad lines skipped: 1')
    expect(skipped.err).toContain('skipped line 2 of bad.jsonl')
  })

  it('says how much of a file is kept when the disk is full, over all of its batches', async () => {
    const log = files.write(
      'log.jsonl',
      Array.from({ length: 3_000 }, (_, i) => JSON.stringify({ text: `entry ${i} of a long log` })).join('\n'),
    )
    const full = files.path('full')
    const { code, err } = await agidbWithin(3_000, 'remember', log, '--db', full, '--json')
    expect(code).toBe(1)
    const error = wire(err)
    const { episodes } = JSON.parse((await agidb('stats', '--db', full, '--json')).out) as Stats
    expect(episodes).toBeGreaterThan(1_000) // more than one batch
    expect(error).toMatchObject({ code: 'AGIDB_QUOTA', details: { remembered: episodes, known: 0 } })
    expect(error.message).toMatch(new RegExp(`; the ${episodes.toLocaleString('en')} memories before it are kept$`))
    expect(error.message).not.toContain('of the items')
  })

  it('waits for a memory that is open elsewhere, and says what to do when that takes too long', async () => {
    const shared = files.path('shared')
    const held = await Agidb.open({ path: shared })
    const refused = await openWhenFree(shared, { patience: 0 }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(AgidbError)
    expect(refused).toMatchObject({
      code: 'AGIDB_IN_USE',
      message: expect.stringMatching(/does not share it.*wait until it has ended, or end it/),
    })
    const waiting = openWhenFree(shared, { patience: 60_000 })
    await held.close()
    await (await waiting).close()
  })

  it('suggests the command that was meant, in one line', async () => {
    expect(await agidb('recal', 'x')).toEqual({
      code: 2,
      out: '',
      err: "agidb: unknown command 'recal' (Did you mean recall?); see agidb --help (AGIDB_INVALID_ARGUMENT)\n",
    })
  })

  it('makes no folder when asked about one that is not there', async () => {
    const missing = files.path('missing')
    for (const command of [['recall', 'x'], ['search', 'x'], ['stats']]) {
      const { code, out, err } = await agidb(...command, '--db', missing)
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toBe(
        `agidb: there is no memory at ${missing}: check the path; agidb remember makes one from chats, ` +
          'agidb add from documents (AGIDB_NOT_FOUND)\n',
      )
    }
    expect(wire((await agidb('recall', 'x', '--db', missing, '--json')).err)).toMatchObject({
      code: 'AGIDB_NOT_FOUND',
      details: { path: missing },
    })
    expect((await agidb('remember', files.path('no-such-file'), '--db', missing)).code).toBe(1)
    expect((await agidb('remember', chat, '--time-zone', 'Mars/Olympus', '--db', missing)).code).toBe(2)
    expect(existsSync(missing)).toBe(false)

    const empty = files.path('empty')
    mkdirSync(empty)
    expect((await agidb('stats', '--db', empty)).err).toContain('holds no memory')
    expect(readdirSync(empty)).toEqual([])
    expect((await agidb('stats', '--db', chat)).err).toContain('is a file')
  })

  it('answers wrong usage with 2 and the way to the help', async () => {
    const commands = [
      [],
      ['dream'],
      ['recall', '--db', db],
      ['recall', 'x', '--db', db, '-k', 'many'],
      ['recall', ' ', '--db', db],
      ['recall', 'x', '--db', db, '--tier-floor', 'best'],
      ['recall', 'x', '--db', db, '--goal-bias', '2'],
      ['recall', 'x', '--db', db, '--recency-window', '0'],
      ['recall', 'x', '--db', db, '--goal', ' '],
      ['recall', 'x', '--db', db, '--valid-as-of', 'yesterday'],
      ['stats', '--db', db, '--fast'],
    ]
    for (const command of commands) {
      const { code, out, err } = await agidb(...command) // one by one: some get as far as opening the memory
      expect({ command, code, out }).toEqual({ command, code: 2, out: '' })
      expect(err).toMatch(/^agidb: .* \(AGIDB_INVALID_\w+\)\n$|^Usage: agidb /s)
    }
    expect(wire((await agidb('recall', '--db', db, '--json')).err).code).toBe('AGIDB_INVALID_ARGUMENT')
  })

  it('explains each command with an example and the exit codes', async () => {
    for (const command of [[], ['remember'], ['recall'], ['stats'], ['train']]) {
      const { code, out } = await agidb(...command, '--help')
      expect(code).toBe(0)
      expect(out).toContain('Example:\n  $ agidb ')
      expect(out).toContain('Exit codes: 0 done, 1 ')
    }
    expect((await agidb('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('does not mind a reader that goes away', async () => {
    const child = start('recall', 'train', '--db', db, '--json')
    child.stdin!.end()
    child.stdout!.destroy()
    let err = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    const code = await new Promise((resolve) => child.on('exit', resolve))
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  it('keeps what it has when it is interrupted, and goes on from there', async () => {
    const long = files.path('interrupted')
    const line = (i: number) =>
      `${JSON.stringify({ speaker: 'Tom', text: `entry ${i} of a long log about wagon ${i}` })}\n`
    const child = start('remember', '-', '--source', 'log', '--session', 'log', '--db', long)
    const outcome = outcomeOf(child)
    for (let i = 0; i < 2500; i++) child.stdin!.write(line(i))
    // Standard input stays open, so the command waits for more once it has remembered the whole batches.
    await expect
      .poll(() => existsSync(`${long}/journal.agidb`) && statSync(`${long}/journal.agidb`).size > 1_000_000, {
        timeout: 50_000,
      })
      .toBe(true)
    child.kill('SIGINT')
    const { code, err } = await outcome
    expect(code).toBe(130)
    expect(err).toContain('(AGIDB_ABORTED)')
    const { episodes } = JSON.parse((await agidb('stats', '--db', long, '--json')).out) as Stats
    expect(episodes).toBeGreaterThanOrEqual(1000)
    const again = start('remember', '-', '--source', 'log', '--session', 'log', '--json', '--db', long)
    again.stdin!.end(Array.from({ length: 2500 }, (_, i) => line(i)).join(''))
    expect(JSON.parse((await outcomeOf(again)).out)).toMatchObject({
      episodes: 2500,
      files: [{ known: episodes, remembered: 2500 - episodes }],
    })
  })
})
