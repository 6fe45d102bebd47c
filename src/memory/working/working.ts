import type { WorkingMethods } from '../../api/methods/working.js'
import { checkId, checkKeys, checkWhole } from '../../api/check.js'
import { exp } from '../../base/exponential.js'
import type { Goal } from '../../api/goal.js'
import type { PresentTurn, WorkingMemory } from '../../api/working.js'
import type { Goals } from '../goals/goals.js'
import type { MemoryContext } from '../context.js'
import type { Service } from '../projection.js'

const utf8 = new TextEncoder()
/** The magical number seven (Miller 1956). */
const CAPACITY = 7
const MAX_CAPACITY = 100
/** Turns after which activation has halved. */
const HALF_LIFE = 3
/** How many turns back a question may be open. */
const THREAD_TURNS = 50

/**
 * A text that ends with a question: a question mark of Latin, Greek, Armenian, Arabic, Ethiopic, Coptic, Vai or Chinese
 * writing, or a combined one, after which only closing marks, exclamations, dots, spaces and pictures may follow.
 */
const QUESTION = new RegExp(
  String.raw`[?\u037e\u055e\u061f\u1367\u2047\u2048\u2049\u203d\u2cfa\u2e2e\ua60f\ufe56\uff1f]` +
    String.raw`[\p{Pe}\p{Pf}\s"'!！.…。\p{Extended_Pictographic}\p{Emoji_Modifier}\u200d\ufe0f]*$`,
  'u',
)

/**
 * What matters now in a session (floor 2): a view of its newest episodes and of the goals, of which nothing is stored.
 */
export class WorkingFloor implements Service {
  readonly projections = []
  readonly #context: MemoryContext
  readonly #goals: Goals

  constructor(context: MemoryContext, goals: Goals) {
    this.#context = context
    this.#goals = goals
  }

  /** The public method of working memory; it writes nothing, so it needs no caller. */
  methods(): WorkingMethods {
    return {
      workingMemory: (session, options) => this.of(session, options),
    }
  }

  /** @throws AgidbError with the code of what is wrong. */
  async of(session: string, options?: { readonly capacity?: number }): Promise<WorkingMemory> {
    const { limits, clock } = this.#context
    checkId('session', session, limits)
    checkKeys('options', options, ['capacity'])
    const { capacity = CAPACITY } = options ?? {}
    checkWhole('capacity', capacity, 1, MAX_CAPACITY)
    const now = clock()
    const slots = this.#newest(session, Math.max(capacity, THREAD_TURNS), now)
    const unanswered = this.#unanswered(session, slots.at(-1) ?? 0)
    const episodes = await this.#context.fetch(slots)
    const present: (PresentTurn & { readonly slot: number })[] = []
    // What was removed while texts were read is passed over.
    episodes.forEach((episode, i) => {
      if (episode === undefined) return
      const { id, speaker, text, at } = episode
      present.push({
        slot: slots[i],
        id,
        ...(speaker !== undefined && { speaker }),
        text,
        at,
        activation: activation(present.length),
      })
    })
    const turns = present.slice(0, capacity).map(plain)
    const openThreads = present
      .slice(0, THREAD_TURNS)
      .filter(({ slot, text }) => slot >= unanswered && QUESTION.test(text))
      .slice(0, capacity)
      .map(plain)
    return {
      session,
      turns,
      openThreads,
      goals: (await this.#goalsFor(turns, now)).slice(0, capacity),
      capacity,
      halfLife: HALF_LIFE,
    }
  }

  /** The newest turns that still count, the newest first. */
  #newest(session: string, most: number, now: number): number[] {
    const { catalog, timeline } = this.#context.indexes
    const counts = catalog.seeing({ now })
    const slots: number[] = []
    for (let slot = timeline.last(session); slot >= 0 && slots.length < most; slot = timeline.previous(slot)) {
      if (counts(slot)) slots.push(slot)
    }
    return slots
  }

  /**
   * The first of the turns at the end of a session that are all of one speaker, who has had no answer yet; not before
   * `oldest`.
   */
  #unanswered(session: string, oldest: number): number {
    const { catalog, timeline } = this.#context.indexes
    const last = timeline.last(session)
    let first = last
    for (
      let slot = last;
      slot >= oldest && catalog.speaker(slot) === catalog.speaker(last);
      slot = timeline.previous(slot)
    )
      first = slot
    return first
  }

  /** The active goals, those that bear on the turns first. */
  async #goalsFor(turns: readonly PresentTurn[], now: number): Promise<Goal[]> {
    const active = await this.#goals.active()
    if (turns.length === 0 || active.length === 0) return active
    // The newest come first, so that a limit takes from the oldest.
    const said = turns.map(({ text }) => text).join('\n')
    const room = new Uint8Array(Math.min(this.#context.limits.cueBytes, 3 * said.length))
    const cue = said.slice(0, utf8.encodeInto(said, room).read)
    const bearing = await this.#goals.bearingOn(cue, { k: active.length, now })
    const rank = new Map(bearing.map(({ id }, i) => [id, i]))
    // Sorting is stable: the others keep their order.
    return [...active].sort((a, b) => (rank.get(a.id) ?? active.length) - (rank.get(b.id) ?? active.length))
  }
}

/** How present a turn is after so many others, 0 to 1. */
function activation(age: number): number {
  return exp((-age * Math.LN2) / HALF_LIFE)
}

function plain({ slot: _, ...turn }: PresentTurn & { readonly slot: number }): PresentTurn {
  return turn
}
