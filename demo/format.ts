const locale = 'en-GB'
const wholeNumber = new Intl.NumberFormat(locale)
const percentage = new Intl.NumberFormat(locale, { style: 'percent' })
const dateAndTime = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

export const count = (value: number): string => wholeNumber.format(value)
export const percent = (share: number): string => percentage.format(share)

/** `1 memory`, `2 memories`. */
export const counted = (value: number, one: string, many: string): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** Times are shown in UTC, as they are stored. */
export const time = (iso: string): string => `${dateAndTime.format(new Date(iso))} UTC`

export function bytes(value: number): string {
  if (value < 1024) return `${count(value)} bytes`
  const units = ['kB', 'MB', 'GB']
  const power = Math.min(Math.floor(Math.log(value) / Math.log(1000)), units.length)
  return `${(value / 1000 ** power).toPrecision(3)} ${units[power - 1]}`
}

export function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(1) : count(Math.round(value))} ms`
}

/** `textSignature` → `text signature`. */
export const words = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)

/** Starts with a capital and ends with a full stop. */
export const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?…]$/.test(message) ? '' : '.'}`
