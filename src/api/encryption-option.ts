import { checkKeys, invalid } from './check.js'
import type { Encryption } from './encryption.js'
import type { OptionCheck } from './option-check.js'

/** Checks the option `encryption`; never says what it is. */
export const encryptionCheck: OptionCheck = (value, option) => {
  if (value === 'none' || value === 'keys-beside') return
  checkSecret(value, option, ['replaces'])
  const { replaces } = value as Exclude<Encryption, string>
  if (replaces !== undefined && replaces !== 'keys-beside') checkSecret(replaces, `${option}.replaces`)
}

/** Checks what opens an encrypted memory; absent, nothing does. */
export function checkEncryptionSecret(value: unknown): void {
  if (value !== undefined && value !== 'keys-beside') checkSecret(value, 'encryption')
}

function checkSecret(value: unknown, what: string, more: readonly string[] = []): void {
  if (typeof value !== 'object' || value === null)
    throw invalid(`${what} must be 'keys-beside', { passphrase } or { key }${more.length > 0 ? " or 'none'" : ''}`, {
      option: what,
    })
  checkKeys(what, value, ['passphrase', 'key', ...more])
  const { passphrase, key } = value as { readonly passphrase?: unknown; readonly key?: unknown }
  if ((passphrase === undefined) === (key === undefined))
    throw invalid(`${what} must have a passphrase or a key, and not both`, { option: what })
  if (passphrase !== undefined && (typeof passphrase !== 'string' || passphrase === ''))
    throw invalid(`${what}.passphrase must be a text that is not empty`, { option: what })
  if (key !== undefined && !(key instanceof Uint8Array && key.length === 32))
    throw invalid(`${what}.key must be a Uint8Array of 32 bytes`, { option: what })
}
