import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kernels, reference, wasm } from './kernels.js'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const key = bytes(32)
const nonce = bytes(24)
/** Around the ends of what the kernel encrypts at a time, and of blocks of the tag. */
const text = fc.oneof(
  fc.uint8Array({ maxLength: 80 }),
  fc.constantFrom(15, 16, 63, 64, 191, 192, 193, 255, 256, 447, 448, 449, 1024, 5000).chain(bytes),
)
const associated = fc.uint8Array({ maxLength: 40 })

/** draft-irtf-cfrg-xchacha-03, appendix A.3.1. */
const DRAFT = {
  text:
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, " +
    'sunscreen would be it.',
  associated: '50515253c0c1c2c3c4c5c6c7',
  key: '808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f',
  nonce: '404142434445464748494a4b4c4d4e4f5051525354555657',
  sealed:
    'bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39' +
    'ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9' +
    '21f9664c97637da9768812f615c68b13b52ec0875924c1c7987947deafd8780acf49',
}

describe.each(kernels)('the cipher of the %s kernel', (_, kernel) => {
  test('encrypts the example of the draft as the draft says', () => {
    const parts = [DRAFT.key, DRAFT.nonce, DRAFT.associated].map(hexToBytes) as [Uint8Array, Uint8Array, Uint8Array]
    const sealed = kernel.seal(...parts, new TextEncoder().encode(DRAFT.text))
    expect(bytesToHex(sealed)).toBe(DRAFT.sealed)
    expect(new TextDecoder().decode(kernel.unseal(...parts, sealed))).toBe(DRAFT.text)
  })

  test('answers nothing when a bit of the text, the tag, the key, the nonce or the associated bytes is another', () => {
    fc.assert(
      fc.property(key, nonce, associated, text, fc.nat(), fc.nat(3), (key, nonce, associated, text, bit, which) => {
        const parts = [key, nonce, associated, kernel.seal(key, nonce, associated, text)].map((part) => part.slice())
        expect(kernel.unseal(parts[0], parts[1], parts[2], parts[3])).toEqual(text)
        const changed = parts[which].length > 0 ? parts[which] : parts[3]
        changed[(bit >> 3) % changed.length] ^= 1 << (bit & 7)
        expect(kernel.unseal(parts[0], parts[1], parts[2], parts[3])).toBeUndefined()
      }),
    )
  })

  test('writes into an array that is given, in which the text may lie', () => {
    fc.assert(
      fc.property(key, nonce, associated, text, fc.nat(9), (key, nonce, associated, text, before) => {
        const sealed = kernel.seal(key, nonce, associated, text)
        const all = new Uint8Array(before + sealed.length + 3).fill(7)
        const into = all.subarray(before, before + sealed.length)
        into.set(text)
        expect(kernel.seal(key, nonce, associated, into.subarray(0, text.length), into)).toBe(into)
        expect(all).toEqual(Uint8Array.of(...Array<number>(before).fill(7), ...sealed, 7, 7, 7))
      }),
    )
  })

  test('refuses an array of another length to write into', () => {
    const [key, nonce, text] = [new Uint8Array(32), new Uint8Array(24), new Uint8Array(5)]
    expect(() => kernel.seal(key, nonce, text, text, new Uint8Array(20))).toThrow(
      /into must be a Uint8Array of length 21, not Uint8Array of length 20/,
    )
  })

  test('answers nothing for fewer bytes than a tag has', () => {
    expect(kernel.unseal(new Uint8Array(32), new Uint8Array(24), new Uint8Array(0), new Uint8Array(15))).toBeUndefined()
  })

  test('refuses keys and nonces of another length', () => {
    const [short, none] = [new Uint8Array(16), new Uint8Array(0)]
    expect(() => kernel.seal(short, new Uint8Array(24), none, none)).toThrow(/key must be a Uint8Array of length 32/)
    expect(() => kernel.seal(new Uint8Array(32), short, none, none)).toThrow(/nonce must be a Uint8Array of length 24/)
  })
})

test('both kernels encrypt alike', () => {
  fc.assert(
    fc.property(key, nonce, associated, text, (key, nonce, associated, text) => {
      const sealed = wasm.seal(key, nonce, associated, text)
      expect(sealed).toEqual(reference.seal(key, nonce, associated, text))
      expect(reference.unseal(key, nonce, associated, sealed)).toEqual(text)
    }),
  )
})
