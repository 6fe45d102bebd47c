const LOCALE = 'en-GB'
const wholeNumber = new Intl.NumberFormat(LOCALE)
const percentage = new Intl.NumberFormat(LOCALE, { style: 'percent' })
const dateAndTime = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' })
const date = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' })

export const count = (value: number): string => wholeNumber.format(value)
export const percent = (share: number): string => percentage.format(share)

/** `1 memory`, `2 memories`. */
export const counted = (value: number, one: string, many: string): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** A moment as one reads it, in the time zone of the reader. */
export const time = (at: string | number): string => dateAndTime.format(new Date(at))
/** The day of a moment, in the time zone of the reader. */
export const day = (at: string | number): string => date.format(new Date(at))

export function bytes(value: number): string {
  if (value < 1000) return counted(value, 'byte', 'bytes')
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log10(value) / 3), units.length)
  return `${(value / 1000 ** power).toFixed(1)} ${units[power - 1]}`
}

export const milliseconds = (value: number): string => `${value < 10 ? value.toFixed(1) : count(Math.round(value))} ms`

/** Starts with a capital and ends with a full stop. */
export const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?…]$/.test(message) ? '' : '.'}`

/** The beginning of a text, on one line. */
export function short(text: string, most = 120): string {
  const characters = Array.from(text.slice(0, 4 * most).replace(/\s+/g, ' '))
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`
}

/** What went wrong, in a sentence, with the code by which documentation and code know it. */
export function problem(error: unknown): string {
  if (!(error instanceof Error)) return sentence(String(error))
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? `${sentence(error.message)} (${code})` : sentence(error.message)
}
