import { stated } from './asking.js'
import { contrast } from './contrast.js'
import { read } from './reading.js'

/**
 * Compares texts part by part. It is large, by its lists of words, and only what is perceived or believed is compared,
 * so it is loaded when the first frame comes.
 */
export interface Comparer {
  readonly stated: typeof stated
  readonly read: typeof read
  readonly contrast: typeof contrast
}

export { contrast, read, stated }
