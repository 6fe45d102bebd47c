import { ChatError } from './model.js'

const KEPT = 'agidb-app/key'
/** What OWASP recommends for PBKDF2 with SHA-256. */
const ITERATIONS = 600_000

/** A key as it is kept: AES-GCM under a key that PBKDF2 makes of the passphrase. Base64. */
interface Sealed {
  readonly salt: string
  readonly iv: string
  readonly sealed: string
}

/** Whether a key is kept. */
export const isKeyKept = (): boolean => localStorage.getItem(KEPT) !== null

/** Keeps a key under a passphrase. It is never written as it is. */
export async function keepKey(key: string, passphrase: string): Promise<void> {
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const made = await keyOf(passphrase, salt)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, made, new TextEncoder().encode(key))
  const kept: Sealed = { salt: toBase64(salt), iv: toBase64(iv), sealed: toBase64(new Uint8Array(sealed)) }
  localStorage.setItem(KEPT, JSON.stringify(kept))
}

/** The key that is kept. @throws ChatError where there is none, or the passphrase is another */
export async function openKey(passphrase: string): Promise<string> {
  const kept = localStorage.getItem(KEPT)
  if (kept === null) throw new ChatError('No key is kept.')
  const { salt, iv, sealed } = JSON.parse(kept) as Sealed
  const made = await keyOf(passphrase, fromBase64(salt))
  try {
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: fromBase64(iv) }, made, fromBase64(sealed))
    return new TextDecoder().decode(plain)
  } catch (cause) {
    throw new ChatError('That is not the passphrase of the key that is kept.', { cause })
  }
}

export const forgetKey = (): void => localStorage.removeItem(KEPT)

async function keyOf(passphrase: string, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(passphrase.normalize('NFKC'))
  const raw = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveKey'])
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ITERATIONS }
  return crypto.subtle.deriveKey(how, raw, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
