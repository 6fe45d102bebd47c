import { fileURLToPath } from 'node:url'
import { Agidb } from 'agidb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Miniflare } from 'miniflare'
import { meet } from '../../examples/cloudflare-sync/src/meet.js'
import { startWorkerd } from './workerd.js'

const TOKEN = 'a-secret-of-ann-and-of-nobody-else'
let workerd: Miniflare
let url: string
const devices: Agidb[] = []

beforeAll(async () => {
  const entry = fileURLToPath(new URL('../../examples/cloudflare-sync/src/index.ts', import.meta.url))
  workerd = await startWorkerd(entry, { MEETING_POINT: 'MeetingPoint' })
  url = (await workerd.ready).href
}, 60_000)
afterAll(async () => {
  for (const db of devices) await db.close()
  await workerd.dispose()
})

/** A memory with the options of the meeting point. */
async function device(): Promise<Agidb> {
  const db = await Agidb.open({ storage: 'memory', extract: 'none' })
  devices.push(db)
  return db
}

async function texts(db: Agidb): Promise<string[]> {
  const all: string[] = []
  for await (const page of db.episodes()) all.push(...page.map(({ text }) => text))
  return all.sort()
}

test('devices that are never on at the same time have the same memory by way of the object', async () => {
  const [laptop, phone] = [await device(), await device()]
  await laptop.observe('The office is in Oslo.')
  const code = await laptop.observe('The code of the door is 1234.')
  await meet(laptop, url, TOKEN)
  await phone.observe('The dentist moved to Hill Road.')
  await meet(phone, url, TOKEN)
  await phone.unlearn({ episode: code }, 'it was changed')
  await meet(phone, url, TOKEN)
  await meet(laptop, url, TOKEN)
  expect(await texts(laptop)).toEqual(['The dentist moved to Hill Road.', 'The office is in Oslo.'])
  expect(await texts(phone)).toEqual(await texts(laptop))
  const [one, other] = await Promise.all([
    laptop.recall('where is the dentist?'),
    phone.recall('where is the dentist?'),
  ])
  expect(one.matches.map(({ id, confidence }) => [id, confidence])).toEqual(
    other.matches.map(({ id, confidence }) => [id, confidence]),
  )
})

test('whoever has another token meets nobody, and without one is refused', async () => {
  const stranger = await device()
  await meet(stranger, url, `${TOKEN}-of-a-stranger`)
  expect(await texts(stranger)).toEqual([])
  await expect(meet(stranger, url, 'short')).rejects.toThrow('a token of at least 32 characters is needed')
})

test('what is no changes is refused with its code', async () => {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const answer = await fetch(url, { method: 'POST', headers, body: 'no changes' })
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'AGIDB_FOREIGN_FILE'])
})
