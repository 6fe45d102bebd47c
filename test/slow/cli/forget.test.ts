import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { EpisodeVersion } from '../../../src/api/episode.js'
import type { UnlearnRecord, UnlearnReport } from '../../../src/api/forgetting.js'
import type { Recall } from '../../../src/api/recall.js'
import { Agidb } from '../../../src/runtimes/node/index.js'
import { agidb, scratch } from './agidb.js'

const files = scratch()
const path = files.path('memory')
const YEAR = 366 * 86_400_000

async function speakersFound(): Promise<(string | undefined)[]> {
  const { out } = await agidb('recall', 'what thai place was mentioned?', '--db', path, '--json')
  return (JSON.parse(out) as Recall).matches.map(({ speaker }) => speaker).sort()
}

/** All files of a memory as one text, a character for each byte. */
function bytesOf(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n')
}

async function records(): Promise<UnlearnRecord[]> {
  return JSON.parse((await agidb('history', '--db', path, '--json')).out) as UnlearnRecord[]
}

describe('agidb forget, restore, history and expire', () => {
  beforeAll(async () => {
    rmSync(path, { recursive: true, force: true })
    const db = await Agidb.open({ path, codebook: 'none' })
    await db.observe('There is a thai place in Bandra \u001b[31mcalled Bawri.', {
      id: 'bawri',
      speaker: 'Sarah',
      session: 'dinner',
    })
    await db.observe('The train to Goa leaves from platform four.', { id: 'train', speaker: 'Tom', session: 'trip' })
    await db.update('train', { text: 'The train to Goa leaves from platform six.' })
    await db.assertBelief({ claim: 'Bawri is a thai restaurant', confidence: 0.9, evidence: ['bawri', 'train'] })
    await db.close()
  })

  it('shows what would be forgotten, forgets it, finds it no more, and brings it back', async () => {
    expect((await speakersFound()).length).toBe(2)
    const dry = await agidb('forget', '--speaker', 'Sarah', '--dry-run', '--db', path)
    expect(dry).toMatchObject({ code: 0, err: '' })
    expect(dry.out).toMatch(/^this would be forgotten:\n +1 {2}memory\n +1 {2}belief with less evidence\n/)
    expect(dry.out).toMatch(/ {2}belief +be_\w+ {2}changed, rests on 1 of them\n/)
    expect(dry.out).toContain('nothing was changed; it could be restored until ')
    expect(await records()).toEqual([])
    expect((await speakersFound()).length).toBe(2)

    const done = await agidb('forget', '--speaker', 'Sarah', '--reason', 'she \u001b[31masked', '--db', path)
    expect(done).toMatchObject({ code: 0, err: '' })
    expect(await speakersFound()).toEqual(['Tom'])
    const [record] = await records()
    expect(record).toMatchObject({ target: 'speaker', state: 'restorable', episodesRemoved: 1, beliefsRevised: 1 })
    expect(done.out).toContain(`agidb restore ${record.auditId} --db ${path} brings it back until `)
    expect(done.out).toContain(
      `until then its text stays in the files; to erase it now: agidb expire --all --db ${path}\n`,
    )
    const list = await agidb('history', '--db', path)
    expect(list.out).toMatch(/ UTC {2}au_\w+ {2}by speaker, 1 memory; restorable until .* UTC\n {6}she \[31masked\n$/)
    expect(await agidb('history', '--since', '2200-01-01', '--db', path)).toMatchObject({
      code: 1,
      out: 'nothing was forgotten\n',
    })

    const back = await agidb('restore', record.auditId, '--db', path)
    expect(back).toMatchObject({ code: 0, out: 'restored: 1 memory\n' })
    expect((await speakersFound()).length).toBe(2)
    expect((await agidb('restore', record.auditId, '--db', path)).err).toContain('(AGIDB_INVALID_ARGUMENT)')
  }, 180_000)

  it('erases what was forgotten when its window is over, and restores it no more', async () => {
    const { out } = await agidb('forget', '--episode', 'bawri', '--reason', 'wrong', '--json', '--db', path)
    const { auditId, episodesRemoved } = JSON.parse(out) as UnlearnReport
    expect(episodesRemoved).toBe(1)
    const later = new Date(Date.now() + YEAR).toISOString()
    expect((await agidb('expire', '--now', later, '--db', path)).out).toMatch(/^erased 1 record of 1 unlearning/)
    expect(await agidb('expire', '--db', path)).toMatchObject({ code: 0, out: 'nothing is left to erase\n' })
    expect(await agidb('restore', auditId!, '--db', path)).toMatchObject({
      code: 1,
      err: expect.stringContaining('(AGIDB_RESTORE_EXPIRED)') as string,
    })
  }, 180_000)

  it('erases at once what was forgotten, where that is asked for, and leaves no byte of it', async () => {
    const erased = files.path('erased')
    const told = 'The harpsichord is in the attic.'
    await agidb('remember', files.write('chat.txt', `Ana: ${told}\nTom: The rent is due.\n`), '--db', erased)
    await agidb('forget', '--speaker', 'Ana', '--reason', 'she asked', '--db', erased)
    expect(bytesOf(erased)).toContain('harpsichord')
    expect(await agidb('expire', '--all', '--db', erased)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^erased 1 record of 1 unlearning/) as string,
    })
    expect(bytesOf(erased)).not.toContain('harpsichord')
    expect(bytesOf(erased)).toContain('The rent is due.')
    expect((await agidb('history', '--db', erased)).out).toMatch(
      / UTC {2}au_\w+ {2}by speaker, 1 memory; erased\n {6}she asked\n$/,
    )
    expect(await agidb('expire', '--all', '--db', erased)).toMatchObject({ code: 0, out: 'nothing is left to erase\n' })
    const both = await agidb('expire', '--all', '--now', '2030-01-01', '--db', erased)
    expect(both).toMatchObject({ code: 2, err: expect.stringContaining('--now') as string })
  }, 180_000)

  it('says what expire leaves, until when, and how to erase it now', async () => {
    const { out } = await agidb('forget', '--episode', 'train', '--reason', 'wrong', '--json', '--db', path)
    const { auditId } = JSON.parse(out) as UnlearnReport
    expect((await agidb('expire', '--db', path)).out).toMatch(
      /^nothing is left to erase; 1 unlearning can be restored until .* UTC, --all erases it now\n$/,
    )
    expect((await agidb('restore', auditId!, '--db', path)).code).toBe(0)
  }, 180_000)

  it('forgets what a filter lets pass', async () => {
    const filter = JSON.stringify({ not: { speaker: 'Sarah' }, session: 'trip' })
    const { code, out } = await agidb('forget', '--filter', filter, '--dry-run', '--json', '--db', path)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ episodesRemoved: 1 })
    const wrong = await agidb('forget', '--filter', '{speaker}', '--dry-run', '--db', path)
    expect({ code: wrong.code, err: wrong.err }).toEqual({
      code: 2,
      err: expect.stringContaining('Expected JSON, such as') as string,
    })
  }, 120_000)

  it('forgets all that a memory holds', async () => {
    const whole = files.path('whole')
    const db = await Agidb.open({ path: whole, codebook: 'none', extract: 'none' })
    await db.observe('The train to Goa leaves from platform four.')
    await db.setGoal({ description: 'catch the train' })
    await db.alias('Goa', 'Gomantak')
    await db.close()
    const { code, out } = await agidb('forget', '--all', '--reason', 'she left', '--json', '--db', whole)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ episodesRemoved: 1, goalsAffected: 1 })
    expect(await agidb('forget', '--all', '--dry-run', '--db', whole)).toMatchObject({
      code: 1,
      out: 'nothing found to forget\n',
    })
  }, 120_000)

  it('lists the versions of a memory', async () => {
    const { code, out } = await agidb('history', 'train', '--db', path)
    expect(code).toBe(0)
    expect(out).toMatch(/^ {3}1 {2}.* UTC to .* UTC {2}Tom\n {6}The train to Goa leaves from platform four\.\n/)
    expect(out).toMatch(/\n {3}2 {2}.* UTC to now {2}Tom\n {6}The train to Goa leaves from platform six\.\n$/)
    const versions = JSON.parse((await agidb('history', 'train', '--db', path, '--json')).out) as EpisodeVersion[]
    expect(versions.map(({ version }) => version)).toEqual([1, 2])
    expect((await agidb('history', 'nobody', '--db', path)).err).toContain('(AGIDB_NOT_FOUND)')
  }, 120_000)

  it('refuses what it cannot do, says what would be right, and changes nothing', async () => {
    const wrong = [
      [['--speaker', 'Tom'], '--reason is missing'],
      [['--reason', 'no target'], 'nothing says what to forget; give one of --episode, --speaker'],
      [['--speaker', 'Tom', '--session', 'trip', '--reason', 'two'], '2 kinds of target are given'],
    ] as const
    for (const [flags, said] of wrong) {
      const { code, err } = await agidb('forget', ...flags, '--db', path)
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(said) as string })
    }
    expect(await agidb('forget', '--speaker', 'nobody', '--reason', 'none', '--db', path)).toMatchObject({
      code: 1,
      out: 'nothing found to forget\n',
    })
    const nowhere = files.path('nowhere')
    expect((await agidb('forget', '--speaker', 'Tom', '--reason', 'x', '--db', nowhere)).err).toContain(
      `there is no memory at ${nowhere}`,
    )
    expect(await speakersFound()).toContain('Tom')
  }, 180_000)
})
