import { blake3 } from '@noble/hashes/blake3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import names from '../../golden/from-name.json' with { type: 'json' }
import seeds from '../../golden/from-seed.json' with { type: 'json' }
import latents from '../../golden/project.json' with { type: 'json' }
import texts from '../../golden/text-signature.json' with { type: 'json' }
import { kernels } from './kernels.js'

/** As tools/make-golden.ts writes it. */
function digest(vector: Uint8Array): { first: string; blake3: string } {
  return { first: bytesToHex(vector.subarray(0, 32)), blake3: bytesToHex(blake3(vector)) }
}

describe.each(kernels)('golden vectors, %s kernel', (_, kernel) => {
  test.each(names)('name $name', ({ name, first, blake3 }) => {
    expect(digest(kernel.fromName(name))).toEqual({ first, blake3 })
  })

  test.each(seeds)('seed $seed', ({ seed, first, blake3 }) => {
    expect(digest(kernel.fromSeed(hexToBytes(seed)))).toEqual({ first, blake3 })
  })

  test.each(texts)('text signature $blake3', ({ names, weights, first, blake3 }) => {
    expect(digest(kernel.textSignature(names, Int32Array.from(weights)))).toEqual({ first, blake3 })
  })

  test.each(latents)('projection $blake3', ({ latent, first, blake3 }) => {
    expect(digest(kernel.project(Float32Array.from(latent)))).toEqual({ first, blake3 })
  })

  test('the ChaCha20 key stream of RFC 8439, appendix A.1, test vector 1', () => {
    expect(bytesToHex(kernel.fromSeed(new Uint8Array(32)).subarray(0, 16))).toBe('76b8e0ada0f13d90405d6ae55386bd28')
  })
})
