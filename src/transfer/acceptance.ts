import type { Limits } from '../api/open-options.js'
import { FIELD_LIMITS } from '../api/field-limits.js'
import { AgidbError } from '../base/errors.js'
import { MARKED_BYTES } from '../encoding/latent.js'
import { SPACES } from '../encoding/spaces/spaces.js'
import { DIMENSION } from '../kernel/port.js'
import { faultOfRow } from '../records/fault.js'
import { ImportCheck, type RecordKinds, unknownKind } from '../records/record-kind.js'
import { RECORD_KINDS } from '../records/registry.js'
import { text } from '../records/shapes.js'
import type { StoredEpisode } from '../api/storage.js'

const SIGNATURE_BYTES = DIMENSION / 8

/** The id of a row, of any kind. */
const isId = text(FIELD_LIMITS.episode.id)

/**
 * Checks rows that come from outside, one after the other: what this accepts can be stored and opened like what agidb
 * wrote itself. Whether their content is true cannot be checked.
 */
export class Acceptance {
  readonly #limits: Limits
  readonly #kinds: RecordKinds
  readonly #ids = new Set<string>()
  /** What the kinds keep from row to row. */
  readonly #memo = new Map<() => unknown, unknown>()

  constructor(limits: Limits, kinds: RecordKinds = RECORD_KINDS) {
    this.#limits = limits
    this.#kinds = kinds
  }

  /**
   * @throws AgidbError `AGIDB_CORRUPT` for what agidb does not write, `AGIDB_TOO_LARGE` over a limit,
   * `AGIDB_NEWER_FORMAT` for a row of a kind that this version does not know.
   */
  check({ id, row, signatures, slot }: StoredEpisode): void {
    const check = new ImportCheck(`row ${slot}`, this.#limits, this.#memo)
    const refuse = (fault: string): never => {
      throw new AgidbError(
        'AGIDB_CORRUPT',
        `${check.what} (${JSON.stringify(id.slice(0, 40))}) ${fault}; nothing was imported`,
        { row: slot, id: id.slice(0, 40) },
      )
    }
    if (!isId(id, check.at('id'))) refuse('has no id')
    if (this.#ids.has(id)) refuse('has an id that another row has')
    this.#ids.add(id)
    for (const { kind, identifiedBy, isPerceived } of SPACES) {
      const length = signatures[kind]?.length
      const expected = identifiedBy === 'mark' ? MARKED_BYTES : SIGNATURE_BYTES
      // An empty one says that there is none; those of the application's own modalities stand behind each other.
      const isRight = isPerceived ? length! % expected === 0 : length === expected
      if (length !== undefined && length !== 0 && !isRight)
        refuse(`has a ${kind} signature of ${length} bytes instead of ${expected}`)
    }
    const kind = this.#kinds.find(row)
    if (!kind?.isExported) throw unknownKind(row[0], `${check.what} is of kind ${row[0]}`)
    const fault = faultOfRow(kind, row, id, check)
    if (fault !== undefined) refuse(fault)
  }
}
