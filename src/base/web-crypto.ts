import { AgidbError } from './errors.js'

/**
 * Web Crypto.
 *
 * @throws AgidbError `AGIDB_UNSUPPORTED` in a page without a secure context, where there is none.
 */
export function subtle(): NonNullable<typeof crypto.subtle> {
  if (crypto.subtle === undefined)
    throw new AgidbError(
      'AGIDB_UNSUPPORTED',
      'scopes and encryption need Web Crypto, which a page has only in a secure context (https or localhost)',
    )
  return crypto.subtle
}
