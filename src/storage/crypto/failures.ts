import { AgidbError } from '../../base/errors.js'

/** That encrypted rows are there and the keys are not. */
export function keysMissing(why: string): AgidbError {
  const message =
    `what is stored is encrypted, and ${why}: put keys.agidb of this memory back beside it; ` +
    'without it nothing can be read'
  return new AgidbError('AGIDB_CORRUPT', message, { file: 'keys.agidb' })
}

/** Whether an error says that the keys are not there, whatever the rows are. */
export function areKeysMissing(error: unknown): boolean {
  return error instanceof AgidbError && error.details['file'] === 'keys.agidb'
}

/** That an encrypted row is not what was written. */
export function damagedRow(what: string): AgidbError {
  return new AgidbError('AGIDB_CORRUPT', `${what} is damaged: it does not decrypt with its key`, { what })
}

/** That the passphrase or the key is missing, or is another. */
export function wrongSecret(needed: 'passphrase' | 'key', given: boolean): AgidbError {
  const message = given
    ? `this is not the ${needed} of the memory; nothing was opened`
    : `the memory is encrypted with a ${needed}: open it with encryption: { ${needed} }`
  return new AgidbError('AGIDB_PASSPHRASE', message, { needed })
}

/** That encryption was asked for where no keys can be kept. */
export function noPlaceForKeys(place: string): AgidbError {
  const message =
    `encryption needs a place for its keys, and ${place} has none: ` +
    "use a folder or a browser with OPFS, or encryption: 'none'"
  return new AgidbError('AGIDB_UNSUPPORTED', message, { option: 'encryption' })
}
