/** Whether a value, parsed from JSON, is what it should be. */
export type Shape = (value: unknown) => boolean

/** Strings that are valid Unicode. */
export const string: Shape = (value) => typeof value === 'string' && !/\p{Surrogate}/u.test(value)
/** Strings with something in them. */
export const text: Shape = (value) => string(value) && (value as string).trim() !== ''
export const number: Shape = (value) => typeof value === 'number' && Number.isFinite(value)
export const whole: Shape = (value) => Number.isSafeInteger(value) && (value as number) >= -1
export const boolean: Shape = (value) => typeof value === 'boolean'
/** From 0 to 1. */
export const share: Shape = (value) => number(value) && (value as number) >= 0 && (value as number) <= 1
/** A time as agidb writes it. */
export const time: Shape = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value

export function oneOf(...values: readonly unknown[]): Shape {
  return (value) => values.includes(value)
}

export function either(...shapes: readonly Shape[]): Shape {
  return (value) => shapes.some((shape) => shape(value))
}

export function maybe(shape: Shape): Shape {
  return (value) => value === undefined || shape(value)
}

/** A list of at most `most` such things. */
export function list(shape: Shape, most: number): Shape {
  return (value) => Array.isArray(value) && value.length <= most && (value as unknown[]).every(shape)
}

export function pair(shape: Shape): Shape {
  return (value) => Array.isArray(value) && value.length === 2 && (value as unknown[]).every(shape)
}

/** An object with these members; it may have others, which a later version may have added. */
export function object(members: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(members)
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return entries.every(([name, shape]) => shape(Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined))
  }
}
