/** The time to encrypt rows of several sizes and blocks of a checkpoint by each cipher that could do it. */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { argon2idAsync } from '@noble/hashes/argon2.js'
import { loadKernel } from '../../src/kernel/load.js'
import { readKernel } from '../../src/kernel/node.js'

const ROUNDS = 5
const MS = 200

const kernel = await loadKernel({ kernel: await readKernel() })
const key = crypto.getRandomValues(new Uint8Array(32))
const nonce = crypto.getRandomValues(new Uint8Array(24))
const none = new Uint8Array(0)
const gcm = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt'])

/** Microseconds a call: the median of some rounds. */
async function time(work: () => unknown): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    let calls = 0
    for (; performance.now() - began < MS; calls++) await work()
    rounds.push(((performance.now() - began) * 1000) / calls)
  }
  return rounds.sort((a, b) => a - b)[ROUNDS >> 1]
}

const ciphers: Record<string, (text: Uint8Array<ArrayBuffer>) => () => unknown> = {
  'XChaCha20-Poly1305, kernel': (text) => () => kernel.seal(key, nonce, none, text),
  'XChaCha20-Poly1305, kernel, decrypting': (text) => {
    const sealed = kernel.seal(key, nonce, none, text)
    return () => kernel.unseal(key, nonce, none, sealed)
  },
  'XChaCha20-Poly1305, noble': (text) => () => xchacha20poly1305(key, nonce).encrypt(text),
  'AES-256-GCM, Web Crypto': (text) => () =>
    crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce.subarray(0, 12) }, gcm, text),
}

/** Prints the times. */
export async function ciphersCost(): Promise<void> {
  for (const bytes of [300, 1024, 5000, 1 << 20]) {
    for (const [name, work] of Object.entries(ciphers)) {
      const us = await time(work(new Uint8Array(bytes)))
      const rate = `${us.toFixed(1).padStart(9)} µs  ${(bytes / us).toFixed(0).padStart(5)} MB/s`
      console.log(`${String(bytes).padStart(8)} bytes  ${rate}  ${name}`)
    }
  }
  for (const [m, t] of [
    [19_456, 2],
    [32_768, 1],
    [47_104, 1],
  ]) {
    const began = process.cpuUsage()
    await argon2idAsync('passphrase', new Uint8Array(16), { m, t, p: 1 })
    const { user, system } = process.cpuUsage(began)
    console.log(`Argon2id, ${m} KiB, passes: ${t}: ${((user + system) / 1000).toFixed(0)} ms of processor time`)
  }
}
