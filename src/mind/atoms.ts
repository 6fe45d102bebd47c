import type { AtomQuery, ConsolidateOptions, ConsolidationReport, SemanticAtom } from '../core/atom.js'
import type { FoundAtom } from '../core/recall.js'
import { AgidbError } from '../core/errors.js'
import type { Self } from './self.js'
import type { Floor, Setting } from './setting.js'
import type { Asking } from './shelf.js'
import type { Logged } from '../floors/log.js'

/** What episodes say alike (floor 4). */
export class Atoms implements Floor {
  readonly #setting: Setting

  readonly #self: Self

  constructor(setting: Setting, self: Self) {
    this.#setting = setting
    this.#self = self
  }

  apply(_logged: Logged, _signature?: Uint8Array): void {
  }

  get size(): number {
    return 0
  }

  async consolidate(_options?: ConsolidateOptions): Promise<ConsolidationReport> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  async query(_query?: AtomQuery): Promise<SemanticAtom[]> {
    throw new AgidbError('AGIDB_INTERNAL', 'not there yet')
  }

  /** The atoms that bear on a cue, best first. */
  async bearingOn(_cue: string, _asking: Asking): Promise<FoundAtom[]> {
    return []
  }
}
