import type { Limits } from './open-options.js'

/** Checks the value of an option of `open` that is there. Throws an AgidbError that names the option. */
export type OptionCheck = (value: unknown, option: string, limits: Limits) => void
