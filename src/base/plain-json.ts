import { AgidbError } from './errors.js'

/** Keys by which a careless reader of an object would change what all objects inherit. */
const REFUSED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
/** How deeply arrays and objects may stand in each other: far more than anything that agidb writes. */
const DEPTH = 16

/** Whether objects from outside may not have a key. */
export function isRefusedKey(key: string): boolean {
  return REFUSED.has(key)
}

/**
 * The value of a JSON text that came from outside.
 *
 * @throws AgidbError `AGIDB_CORRUPT`, naming `what`: no valid JSON, nested more than 16 deep, or a key that is refused
 * (`__proto__`, `constructor`, `prototype`).
 */
export function parsePlain(text: string, what: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    // Some engines run out of stack on deep nesting.
    const fault = cause instanceof SyntaxError ? 'is no valid JSON' : 'is nested too deeply'
    throw new AgidbError('AGIDB_CORRUPT', `${what} ${fault}`, { what }, { cause })
  }
  checkPlain(value, what, DEPTH)
  return value
}

function checkPlain(value: unknown, what: string, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth === 0)
    throw new AgidbError('AGIDB_CORRUPT', `${what} is nested more than ${DEPTH} deep`, { what, limit: DEPTH })
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) checkPlain(item, what, depth - 1)
    return
  }
  for (const [key, member] of Object.entries(value)) {
    if (isRefusedKey(key))
      throw new AgidbError('AGIDB_CORRUPT', `${what} has a member ${JSON.stringify(key)}, which is refused`, {
        what,
        key,
      })
    checkPlain(member, what, depth - 1)
  }
}
