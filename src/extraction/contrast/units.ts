/** What is measured, and how much of it one unit is. */
export interface Unit {
  readonly dimension: string
  /** One unit in that which the dimension is counted in: seconds, metres, grams, litres, bytes. */
  readonly factor: number
}

/** A number with its unit. */
export interface Measure {
  readonly dimension: string
  readonly value: number
}

/**
 * Units by dimension, each with what one of them is (SI; the international yard and pound of 1959; bytes by powers of
 * 1,000).
 */
const UNITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  time: {
    'ms millisecond milliseconds': 1e-3,
    's sec secs second seconds': 1,
    'min mins minute minutes': 60,
    'h hr hrs hour hours': 3_600,
    'day days': 86_400,
    'week weeks wk wks': 604_800,
  },
  // Months have no fixed length in days.
  months: { 'month months': 1, 'year years yr yrs': 12, 'decade decades': 120, 'century centuries': 1_200 },
  length: {
    'mm millimetre millimetres millimeter millimeters': 1e-3,
    'cm centimetre centimetres centimeter centimeters': 0.01,
    'metre metres meter meters': 1,
    'km kilometre kilometres kilometer kilometers': 1e3,
    'mile miles': 1_609.344,
    'inch inches': 0.0254,
    'foot feet ft': 0.3048,
    'yard yards': 0.9144,
  },
  mass: {
    'mcg microgram micrograms': 1e-6,
    'mg milligram milligrams': 1e-3,
    'g gram grams': 1,
    'kg kilo kilos kilogram kilograms': 1e3,
    'ton tons tonne tonnes': 1e6,
    'lb lbs': 453.59237,
    'oz ounce ounces': 28.349523125,
  },
  volume: {
    'ml millilitre millilitres milliliter milliliters': 1e-3,
    'cl centilitre centilitres': 0.01,
    'dl decilitre decilitres': 0.1,
    'l litre litres liter liters': 1,
  },
  bytes: {
    'kb kilobyte kilobytes': 1e3,
    'mb megabyte megabytes': 1e6,
    'gb gigabyte gigabytes': 1e9,
    'tb terabyte terabytes': 1e12,
  },
}

const units = new Map(
  Object.entries(UNITS).flatMap(([dimension, members]) =>
    Object.entries(members).flatMap(([words, factor]) =>
      words.split(' ').map((word): [string, Unit] => [word, { dimension, factor }]),
    ),
  ),
)

/** The unit that a folded word names. Words that name several ("pound", "m") are none. */
export function unitOf(word: string): Unit | undefined {
  return units.get(word)
}

/** Whether two numbers with units are the same: 90 minutes and 1.5 hours. */
export function sameMeasure(a: Measure, b: Measure): boolean {
  const tolerance = 1e-9 * Math.max(Math.abs(a.value), Math.abs(b.value))
  return a.dimension === b.dimension && Math.abs(a.value - b.value) <= tolerance
}
