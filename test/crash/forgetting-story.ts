import type { StorageEvent } from '../../src/api/stats.js'

/** Episodes of a session; they are forgotten together. */
export const OF_A_SESSION = 4

/** The text of an episode. The word before the colon is in no other session. */
export function textOf(session: string, index: number): string {
  return `${wordOf(session)}: number ${index} saw the gate of the harbour.`
}

/** A word that stands in all that a session says. */
export function wordOf(session: string): string {
  return `marker${session}x`
}

/** What is found in a memory when it is opened after a kill. */
export interface FoundAfterKill {
  /** Episodes that are there, by session. */
  readonly episodes: Readonly<Record<string, readonly string[]>>
  /** Sessions of which the belief is there that rests on them. */
  readonly believed: readonly string[]
  /** The state of each unlearning. */
  readonly unlearned: Readonly<Record<string, string>>
  readonly opening: readonly StorageEvent[]
  /** What verifying it finds that does not mend itself. */
  readonly problems: readonly unknown[]
}

/** What a session is known to be: there, forgotten for now, or for good. */
type State = 'there' | 'forgotten' | 'expired'

/** What one call does: the writer says its name before it is made, and again when it was acknowledged. */
export type Step = 'observe' | 'unlearn' | 'restore' | 'expire'
const LEADS_TO: Readonly<Record<Step, State>> = {
  observe: 'there',
  unlearn: 'forgotten',
  restore: 'there',
  expire: 'expired',
}

/** What the writers of one memory have said, and what must therefore be found in it. */
export class ForgettingLedger {
  readonly counts = { observe: 0, unlearn: 0, restore: 0, expire: 0 }
  /** Calls that a kill cut short, and that had no effect, or all of it. */
  readonly cut = { without: 0, with: 0 }
  readonly #states = new Map<string, State>()
  #begun: { readonly step: Step; readonly sessions: readonly string[] } | undefined

  /** Takes in a line: `?step session…` before a call, `!step session…` after it. */
  hear(line: string): void {
    const [step, ...sessions] = line.slice(1).split(' ') as [Step, ...string[]]
    if (line.startsWith('?')) {
      this.#begun = { step, sessions }
      return
    }
    this.#begun = undefined
    this.counts[step]++
    for (const session of sessions) this.#states.set(session, LEADS_TO[step])
  }

  /** Sessions that are forgotten for good: nothing of them may be left. */
  get expired(): string[] {
    return [...this.#states].flatMap(([session, state]) => (state === 'expired' ? [session] : []))
  }

  /** Throws where something is there in part, or not as it was acknowledged. */
  check({ episodes, believed, unlearned, opening, problems }: FoundAfterKill): void {
    if (problems.length > 0) throw new Error(`verifying it finds ${JSON.stringify(problems)}`)
    const erased = opening.filter(({ kind }) => kind === 'rows-erased')
    if (erased.length > 0) throw new Error(`opening it reports ${JSON.stringify(erased)}`)
    const begun = this.#begun
    this.#begun = undefined
    const sessions = new Set([...this.#states.keys(), ...Object.keys(episodes), ...(begun?.sessions ?? [])])
    for (const session of sessions) {
      const found = episodes[session] ?? []
      if (found.length !== 0 && found.length !== OF_A_SESSION)
        throw new Error(`${found.length} of ${OF_A_SESSION} episodes of session ${session} are there`)
      const isThere = found.length > 0
      const known = this.#states.get(session)
      const isBegun = begun?.sessions.includes(session) === true
      const wasThere = known === 'there'
      const willBeThere = isBegun ? LEADS_TO[begun.step] === 'there' : wasThere
      if (isThere !== wasThere && isThere !== willBeThere)
        throw new Error(`session ${session} is ${isThere ? '' : 'not '}there, and was ${known ?? 'never acknowledged'}`)
      // The belief came in a call of its own, which may have been cut short.
      if (believed.includes(session) && !isThere)
        throw new Error(`a belief that rests on session ${session} is there without it`)
      if (known === 'expired' && unlearned[session] !== 'expired')
        throw new Error(`the expiry of session ${session} was acknowledged, and it is ${unlearned[session]}`)
      if (isBegun) this.#settle(session, begun.step, isThere, unlearned[session])
    }
  }

  /** A call that a kill cut short had its effect, or none; whichever is found must stay. */
  #settle(session: string, step: Step, isThere: boolean, unlearned: string | undefined): void {
    const after = LEADS_TO[step]
    const isDone = after === 'expired' ? unlearned === 'expired' : isThere === (after === 'there')
    this.cut[isDone ? 'with' : 'without']++
    if (isDone) this.#states.set(session, after)
    else if (step === 'observe') this.#states.delete(session)
  }
}
