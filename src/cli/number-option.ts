import { InvalidArgumentError } from 'commander'

/** Reads an option that is a number in a range. */
export function numberBetween(low: number, high: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (!/^\d*\.?\d+$/.test(text) || number < low || number > high)
      throw new InvalidArgumentError(`Expected a number ${rangeOf(low, high)}.`)
    return number
  }
}

/** Reads an option that is a whole number in a range. */
export function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (!/^\d+$/.test(text) || number < low || number > high)
      throw new InvalidArgumentError(`Expected a whole number ${rangeOf(low, high)}.`)
    return number
  }
}

function rangeOf(low: number, high: number): string {
  return `from ${low.toLocaleString('en')} to ${high.toLocaleString('en')}`
}
