import { beforeEach, expect, test } from 'vitest'
import type { Encryption } from '../../../../src/api/encryption.js'
import { AgidbError } from '../../../../src/base/errors.js'
import { askAdmission } from '../../../../src/storage/crypto/admission.js'
import { Disk } from './disk.js'
import { Origin } from './origin.js'
import { openTab, type TestTab } from './tab.js'

const key = new Uint8Array(32).fill(7)
const opened = 'opened'

let [origin, disk] = [new Origin(), new Disk()]
beforeEach(() => {
  ;[origin, disk] = [new Origin(), new Disk()]
})

const open = (encryption?: Encryption): Promise<TestTab> => openTab(origin, disk, encryption && { encryption })

/** How the opening of a tab ends, which is closed again. */
async function opening(encryption?: Encryption): Promise<unknown> {
  try {
    await (await open(encryption)).db.close()
    return opened
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    return { code, message }
  }
}

test.each<[name: string, owner: Encryption, others: readonly (Encryption | undefined)[]]>([
  [
    'with a passphrase',
    { passphrase: 'right' },
    [
      { passphrase: 'right' },
      { passphrase: 'right', replaces: { passphrase: 'older' } },
      { passphrase: 'wrong' },
      { passphrase: 'wrong', replaces: { passphrase: 'wrong, too' } },
      { passphrase: 'wrong', replaces: 'keys-beside' },
      { key },
      'keys-beside',
      'none',
      undefined,
    ],
  ],
  ['with a key', { key }, [{ key }, { key: new Uint8Array(32) }, { passphrase: 'right' }, 'none', undefined]],
  ['with keys beside it', 'keys-beside', ['keys-beside', undefined, 'none', { passphrase: 'right' }]],
])('a memory %s opens in a second tab with what opens it alone', async (_, owner, others) => {
  const first = await open(owner)
  await first.db.observe('The office is in Rome.')
  const beside = []
  for (const encryption of others) beside.push(await opening(encryption))
  await first.db.close()
  const alone = []
  for (const encryption of others) alone.push(await opening(encryption))
  expect(beside).toEqual(alone)
  expect(beside[0]).toBe(opened)
  expect(beside.at(-1)).not.toBe(opened)
})

test('a passphrase is not replaced while another tab has the memory open', async () => {
  const next: Encryption = { passphrase: 'next', replaces: { passphrase: 'before' } }
  const first = await open({ passphrase: 'before' })
  await first.db.observe('The office is in Rome.')
  await expect(open(next)).rejects.toMatchObject({
    code: 'AGIDB_IN_USE',
    message: expect.stringContaining('close it there first') as string,
  })
  await first.db.close()
  expect(await opening({ passphrase: 'next' })).toMatchObject({ code: 'AGIDB_PASSPHRASE' })
  expect(await opening(next)).toBe(opened)
  expect(await opening({ passphrase: 'next' })).toBe(opened)
})

test('a memory is not encrypted while another tab has it open', async () => {
  const first = await open()
  for (const encryption of ['keys-beside', { passphrase: 'p' }, { key }] as const)
    expect(await opening(encryption)).toMatchObject({ code: 'AGIDB_IN_USE' })
  expect(await opening('none')).toBe(opened)
  await first.db.close()
  const beside = await open('keys-beside')
  expect(await opening({ passphrase: 'p', replaces: 'keys-beside' })).toMatchObject({ code: 'AGIDB_IN_USE' })
  await beside.db.close()
})

test('a tab that was refused does not stand in the way of the others', async () => {
  const first = await open({ passphrase: 'right' })
  await first.db.observe('The office is in Rome.')
  expect(await opening({ passphrase: 'wrong' })).toMatchObject({ code: 'AGIDB_PASSPHRASE' })
  const second = await open({ passphrase: 'right' })
  await first.db.close()
  expect(await second.db.count()).toBe(1)
  await second.db.close()
})

test('passphrases and keys do not cross', async () => {
  const first = await open({ passphrase: 'right one' })
  const posts: unknown[] = []
  const { db } = await openTab(origin, disk, { encryption: { passphrase: 'right one' }, posts: (m) => posts.push(m) })
  expect(posts).toContainEqual(expect.objectContaining({ method: 'admit' }))
  expect(JSON.stringify(posts)).not.toContain('right one')
  await db.close()
  await first.db.close()
})

test('without encryption nothing is asked of the owner, and nothing loaded', async () => {
  let loaded = 0
  const plain = { compares: () => loaded++ }
  const posts: { readonly method?: string }[] = []
  const first = await openTab(origin, disk, plain)
  const second = await openTab(origin, disk, { ...plain, posts: (message) => posts.push(message as {}) })
  expect([loaded, posts.filter(({ method }) => method === 'admit')]).toEqual([0, []])
  await second.db.close()
  await first.db.close()
})

test('an owner of an older version, which knows no such question, lets a tab in as before', async () => {
  const older = async () => {
    throw new AgidbError('AGIDB_INVALID_ARGUMENT', 'a call must name a method of a database', { method: 'admit' })
  }
  await expect(askAdmission({ passphrase: 'right' }, older)).resolves.toBeUndefined()
})
