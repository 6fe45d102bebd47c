/** What a setting may be. A text of the environment and a value of a file are read alike. */
export interface ValueKind<T> {
  /** What is right, for errors: `a whole number from 1 to 1,000`. */
  readonly expected: string
  /** The value; `undefined` where it is none. */
  read(value: unknown): T | undefined
}

/** A text that is not empty. */
export const text: ValueKind<string> = {
  expected: 'a text',
  read: (value) => (typeof value === 'string' && value.trim() !== '' && !value.includes('\0') ? value : undefined),
}

/** An address of a server. */
export const address: ValueKind<string> = {
  expected: 'an address that begins with http:// or https://, without user, password and query',
  read(value) {
    if (typeof value !== 'string' || !URL.canParse(value)) return undefined
    const { protocol, username, password, search, hash } = new URL(value)
    const isPlain = username === '' && password === '' && search === '' && hash === ''
    return isPlain && (protocol === 'http:' || protocol === 'https:') ? value : undefined
  },
}

/** A key: headers take visible ASCII characters only. */
export const secret: ValueKind<string> = {
  expected: '1 to 4,096 visible ASCII characters',
  read: (value) => (typeof value === 'string' && /^[\x21-\x7e]{1,4096}$/.test(value) ? value : undefined),
}

/** True or false. */
export const flag: ValueKind<boolean> = {
  expected: 'true or false',
  read(value) {
    if (typeof value === 'boolean') return value
    if (value === 'true' || value === '1') return true
    return value === 'false' || value === '0' ? false : undefined
  },
}

/** A whole number from `low` to `high`. */
export function whole(low: number, high: number): ValueKind<number> {
  return {
    expected: `a whole number from ${low.toLocaleString('en')} to ${high.toLocaleString('en')}`,
    read(value) {
      const isDigits = typeof value === 'string' && /^\d{1,15}$/.test(value)
      const number = isDigits ? Number(value) : value
      const isRight = typeof number === 'number' && Number.isInteger(number) && number >= low && number <= high
      return isRight ? number : undefined
    },
  }
}

/** One of some words. A word may have other names. */
export function oneOf<const T extends string>(
  words: readonly T[],
  others: Readonly<Record<string, T>> = {},
): ValueKind<T> {
  return {
    expected: words.map((word) => JSON.stringify(word)).join(' or '),
    read(value) {
      if (typeof value !== 'string') return undefined
      return words.find((word) => word === value) ?? (Object.hasOwn(others, value) ? others[value] : undefined)
    },
  }
}
