import type { Limits } from '../api/agidb.js'
import type { Episode } from '../api/episode.js'
import { AgidbError } from '../base/errors.js'
import type { LearningEvent } from '../api/learning.js'
import { parsePlain } from '../base/plain-json.js'
import { DIMENSION } from '../kernel/port.js'
import type { StoredEpisode } from '../storage/port.js'
import { isEpisode } from '../records/episode.js'
import { EVENT_ROW } from '../records/event.js'
import { decodeFrame, FRAME_ROW } from '../records/sensory-frame.js'
import { EPISODE_ROW, EVENTS, ROW_ID, SENSORY_ROW } from './row-shapes.js'
import type { FieldPath } from './shapes.js'
import { decodeUtf8 } from '../base/utf8.js'

const SIGNATURE_BYTES = DIMENSION / 8
/** What latent and sentence signatures have before them, to say what made them. */
const MARK_BYTES = 8
/** Goals above a goal, at most. */
const DEEPEST = 1_000

/**
 * Looks at rows that come from outside, one after the other: what this accepts can be stored and opened like what agidb
 * wrote itself. Whether it is true nobody can tell.
 */
export class Acceptance {
  readonly #limits: Limits
  readonly #ids = new Set<string>()
  /** The parents of goals, which must not go round in a circle. */
  readonly #parents = new Map<string, string | undefined>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /**
   * @throws AgidbError `AGIDB_CORRUPT` for what agidb does not write, `AGIDB_TOO_LARGE` over a limit,
   * `AGIDB_NEWER_FORMAT` for a row of a kind that this version does not know.
   */
  check(stored: StoredEpisode): void {
    const { id, row, signatures, slot } = stored
    const what = `row ${slot}`
    const refuse = (fault: string): never => {
      throw new AgidbError(
        'AGIDB_CORRUPT',
        `${what} (${JSON.stringify(id.slice(0, 40))}) ${fault}; nothing was imported`,
        { row: slot, id: id.slice(0, 40) },
      )
    }
    const place = (kind: string): FieldPath => ({ what: `${what}, ${kind}`, limits: this.#limits })
    if (!ROW_ID(id, place('id'))) refuse('has no id')
    if (this.#ids.has(id)) refuse('has an id that another row has')
    this.#ids.add(id)
    for (const [kind, { length }] of Object.entries(signatures)) {
      const expected = SIGNATURE_BYTES + (kind === 'text' || kind === 'structured' ? 0 : MARK_BYTES)
      if (length !== expected) refuse(`has a ${kind} signature of ${length} bytes instead of ${expected}`)
    }
    if (isEpisode(row)) {
      const episode = this.#json(row, what)
      if (!EPISODE_ROW(episode, place('episode')) || (episode as Episode).id !== id) refuse('is no episode')
    } else if (row[0] === EVENT_ROW) {
      const event = this.#json(row.subarray(1), what) as LearningEvent
      const shape = Object.hasOwn(EVENTS, String(event?.kind)) ? EVENTS[event.kind] : undefined
      if (shape === undefined || !shape(event, place(event.kind)) || event.id !== id) refuse('is no learning event')
      if (this.#circles(event)) refuse('puts a goal below itself, below one that is not there, or too deep')
    } else if (row[0] === FRAME_ROW) {
      if (!this.#isFrame(row, id, what, place('frame'))) refuse('is no sensory frame')
    } else {
      throw new AgidbError(
        'AGIDB_NEWER_FORMAT',
        `${what} is of kind ${row[0]}, which this version of agidb does not know: use a newer one`,
        { kind: row[0] },
      )
    }
  }

  #json(bytes: Uint8Array, what: string): unknown {
    let text: string
    try {
      text = decodeUtf8(bytes)
    } catch (cause) {
      throw new AgidbError('AGIDB_CORRUPT', `${what} is no UTF-8`, { what }, { cause })
    }
    return parsePlain(text, what)
  }

  #isFrame(row: Uint8Array, id: string, what: string, place: FieldPath): boolean {
    const end = row.length < 5 ? NaN : 5 + new DataView(row.buffer, row.byteOffset).getUint32(1, true)
    if (!(end <= row.length)) return false
    this.#json(row.subarray(5, end), what)
    const { frame, number } = decodeFrame(row)
    return SENSORY_ROW({ ...frame, number }, place) && number >= 1 && frame.id === id
  }

  #circles(event: LearningEvent): boolean {
    if (event.kind !== 'goalSet' && event.kind !== 'goalRevised') return false
    const { goal } = event
    // it tells nothing of a goal that is not there
    if (event.kind === 'goalRevised' && !this.#parents.has(goal)) return false
    const parent = event.kind === 'goalSet' ? event.parent : event.changes.parent
    if (event.kind === 'goalRevised' && parent === undefined) return false
    let depth = 0
    for (let above = parent ?? undefined; above !== undefined; above = this.#parents.get(above)) {
      if (above === goal || !this.#parents.has(above) || depth++ === DEEPEST) return true
    }
    this.#parents.set(goal, parent ?? undefined)
    return false
  }
}
