import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EncryptionSecret } from '../../../../src/api/encryption.js'
import { KeyRing } from '../../../../src/storage/crypto/key-ring.js'
import { wasm } from '../../kernel/kernels.js'
import { MemoryFile } from '../memory-file.js'

const KEY = { key: new Uint8Array(32).fill(7) }

async function ringOf(file: MemoryFile, units: number, secret: EncryptionSecret = 'keys-beside'): Promise<KeyRing> {
  const ring = await KeyRing.create(file, secret, wasm)
  for (let unit = 0; unit < units; unit++) ring.keyOf([`session ${unit}`])
  await ring.save()
  return ring
}

const holds = (file: MemoryFile, bytes: Uint8Array) => Buffer.from(file.content()).includes(Buffer.from(bytes))

const opened = (file: MemoryFile, secret?: EncryptionSecret) => KeyRing.open(file, secret, wasm)

describe('a ring of keys', () => {
  test('has the same keys after it was opened again, for units alone and together', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 })), async (rows) => {
        const file = new MemoryFile()
        const ring = await KeyRing.create(file, 'keys-beside', wasm)
        const before = rows.map((units) => ring.keyOf(units))
        await ring.save()
        const again = (await opened(file))!
        expect(again.hasChanged).toBe(false)
        expect(rows.map((units) => again.keyOf(units))).toEqual(before)
        for (const key of before) expect(again.find(key)).toMatchObject({ bytes: key.bytes })
        expect(again.hasChanged).toBe(false)
      }),
      { numRuns: 40 },
    )
  })

  test('grows over many pieces and shrinks again, and overwrites what it was', async () => {
    const file = new MemoryFile()
    const ring = await ringOf(file, 2000)
    const kept = ring.keyOf(['session 1999'])
    const gone = ring.keyOf(['session 5']).bytes.slice()
    ring.dropAllBut(new Set(kept.numbers))
    await ring.saveBoth()
    const again = (await opened(file))!
    expect(again.size).toBe(1)
    expect(again.keyOf(['session 1999']).bytes).toEqual(kept.bytes)
    expect(again.find({ numbers: [6], first: 1 })).toBe('erased')
    expect(holds(file, gone)).toBe(false)
  })

  test('does not tell the names of units, nor keys where there is a secret', async () => {
    const file = new MemoryFile()
    const ring = await ringOf(file, 3, KEY)
    expect(holds(file, Buffer.from('session'))).toBe(false)
    expect(holds(file, ring.keyOf(['session 1']).bytes)).toBe(false)
    expect(holds(file, KEY.key)).toBe(false)
  })

  test('opens with its own secret alone', async () => {
    const file = new MemoryFile()
    await ringOf(file, 3, KEY)
    const content = file.content()
    await expect(opened(file)).rejects.toMatchObject({ code: 'AGIDB_PASSPHRASE' })
    await expect(opened(file, { key: new Uint8Array(32) })).rejects.toMatchObject({ code: 'AGIDB_PASSPHRASE' })
    await expect(opened(file, { passphrase: 'secret' })).rejects.toMatchObject({ code: 'AGIDB_PASSPHRASE' })
    expect((await opened(file, KEY))!.size).toBe(3)
    expect(file.content()).toEqual(content)
  })

  test('opens with a passphrase however its letters are composed', async () => {
    const file = new MemoryFile()
    await ringOf(file, 1, { passphrase: 'caf\u00e9' })
    expect((await opened(file, { passphrase: 'cafe\u0301' }))!.size).toBe(1)
    await expect(opened(file, { passphrase: 'cafe' })).rejects.toMatchObject({ code: 'AGIDB_PASSPHRASE' })
  })

  test('that is torn anywhere while it is written is the one before or the one after', async () => {
    const file = new MemoryFile()
    const ring = await ringOf(file, 40)
    ring.retire([{ numbers: [4], first: 1 }])
    await ring.save()
    const before = file.content()
    ring.keyOf(['one more'])
    await ring.save()
    const after = file.content()
    for (let cut = 0; cut <= after.length; cut += cut < 400 ? 1 : 97) {
      const torn = Uint8Array.from(after, (byte, at) => (at < cut ? byte : (before[at] ?? 0)))
      const { size, isRetiring } = (await opened(new MemoryFile(torn)))!
      expect([40, 41]).toContain(size)
      expect(isRetiring).toBe(true)
    }
  })

  test('counts as none where neither copy is whole, and survives damage to one', async () => {
    const file = new MemoryFile()
    const ring = await ringOf(file, 5)
    await ring.saveBoth()
    const content = file.content()
    const damaged = (...places: number[]) => {
      const bytes = content.slice()
      for (const at of places) bytes[at] ^= 1
      return opened(new MemoryFile(bytes))
    }
    expect((await damaged(140))!.size).toBe(5)
    expect((await damaged(16_384 + 140))!.size).toBe(5)
    expect(await damaged(140, 16_384 + 140)).toBeUndefined()
  })

  test('of a later version is refused as a newer format', async () => {
    const file = new MemoryFile()
    await ringOf(file, 1)
    const bytes = file.content()
    bytes[16_384 + 8] = 2
    await expect(opened(new MemoryFile(bytes))).rejects.toMatchObject({ code: 'AGIDB_NEWER_FORMAT' })
  })

  test('is whole after writings that failed, and keeps what they were to write', async () => {
    const file = new MemoryFile()
    const ring = await ringOf(file, 300)
    for (let failure = 1; failure <= 4; failure++) {
      ring.keyOf([`another ${failure}`])
      file.failAfter = failure
      file.failures = 1
      await ring.save().catch((error: unknown) => expect(error).toMatchObject({ code: 'AGIDB_STORAGE' }))
      file.failAfter = Infinity
      const { size } = (await opened(file))!
      expect([299 + failure, 300 + failure]).toContain(size)
      await ring.save()
      expect((await opened(file))!.size).toBe(300 + failure)
    }
  })

  test('retires a key that the first version of a row had, also where a later version has more', async () => {
    const ring = await KeyRing.create(new MemoryFile(), 'keys-beside', wasm)
    ring.keyOf(['older unit'])
    const first = ring.keyOf(['unit'])
    const later = ring.keyOf(['older unit'], first)
    expect(later).toMatchObject({ numbers: [2, 1], first: 1 })
    // The other row alone takes the key that only the later version has.
    ring.retire([ring.keyOf(['older unit'])])
    ring.retire([later])
    expect(ring.needsRenewal(first)).toBe(true)
    expect(ring.renewedKey(later)).toMatchObject({ numbers: [3, 4], first: 1 })
  })

  test('knows of a copy that a crash left with keys that were dropped, and writes over it', async () => {
    const file = new MemoryFile()
    const ring = await ringOf(file, 3)
    await ring.saveBoth()
    const dropped = ring.keyOf(['session 1']).bytes.slice()
    ring.dropAllBut(new Set(ring.keyOf(['session 2']).numbers))
    await ring.save()
    const again = (await opened(file))!
    expect(again.hasStaleCopy).toBe(true)
    await again.overwriteStaleCopy()
    expect((await opened(file))!.hasStaleCopy).toBe(false)
    expect(again.find({ numbers: [2], first: 1 })).toBe('erased')
    expect(holds(file, dropped)).toBe(false)
  })

  test('knows of a copy that has the passphrase before, and of one that is damaged', async () => {
    const file = new MemoryFile()
    const ring = await ringOf(file, 3)
    await ring.saveBoth()
    expect((await opened(file))!.hasStaleCopy).toBe(false)
    const damaged = file.content()
    damaged[200] ^= 1
    expect((await opened(new MemoryFile(damaged)))!.hasStaleCopy).toBe(true)
    const secret = { key: new Uint8Array(32).fill(5) }
    await ring.rewrap(secret)
    await ring.save()
    expect((await KeyRing.open(file, secret, wasm))!.hasStaleCopy).toBe(true)
  })

  test('refuses a number that it never gave', async () => {
    const ring = await ringOf(new MemoryFile(), 2)
    expect(() => ring.find({ numbers: [3], first: 1 })).toThrow(
      /keys\.agidb is missing, or is a copy of an earlier day/,
    )
  })
})
