import fc from 'fast-check'
import type { Agidb } from '../../../../src/api/agidb.js'
import type { OpenOptions } from '../../../../src/api/open-options.js'
import type { Purpose } from '../../../../src/api/purpose.js'
import { NOW } from '../../engine/now.js'
import { colourLayout, glove } from '../../toys/senses.js'
import type { Known } from '../answers.js'
import { Pages, unlessMissing } from './pages.js'

const SUBJECTS = ['Ann', 'Bo', 'Cy']
const OBJECTS = ['tea', 'coffee', 'Oslo']
/** What is observed in the second is what one of two twins never sees. */
const SESSIONS = ['s0', 's1']

/** What is done at a step; `first` and `second` choose among what there is. */
export interface Step {
  readonly do:
    | 'observe'
    | 'supersede'
    | 'update'
    | 'replace'
    | 'perceive'
    | 'glimpse'
    | 'attend'
    | 'goal'
    | 'complete'
    | 'procedure'
    | 'execute'
    | 'believe'
    | 'associate'
    | 'relate'
    | 'part'
    | 'page'
    | 'link'
    | 'show'
    | 'seek'
    | 'define'
    | 'consolidate'
  readonly session: number
  readonly first: number
  readonly second: number
}

/** The person that a step names, of three. */
export function namedBy({ first }: Step): string {
  return SUBJECTS[first % 3]
}

/** After what an episode says something else, or is true no more. */
const CHANGING: ReadonlySet<Step['do']> = new Set<Step['do']>(['update', 'replace', 'supersede'])

/** A step of a history. Floors that are not compared are left out of it. */
export function stepOf(...kinds: readonly Step['do'][]): fc.Arbitrary<Step> {
  return fc.record({ do: fc.constantFrom(...kinds), session: fc.nat(1), first: fc.nat(99), second: fc.nat(99) })
}

/** A call with what it names, by the numbers of the steps that made it. */
interface Call extends Step {
  readonly at: number
  readonly episodes: readonly number[]
  readonly thing?: number
  /** Of an observation: the goal for which it is made, and what the beliefs claim with which. */
  readonly goal?: number
  readonly claims?: readonly string[]
}

/**
 * What a history calls: the same for a memory that sees all of it and for one that does not see some episodes, which
 * leaves out the calls that need them.
 */
export function planned(steps: readonly Step[], unseenBefore: number): Call[] {
  const calls: Call[] = []
  const isUnseen = (at: number) => at < unseenBefore && steps[at].session === 1
  const made = (kind: Step['do'], now: number) =>
    calls.filter((call) => call.do === kind && (now < unseenBefore || !isHidden(call, isUnseen))).map(({ at }) => at)
  const superseded = new Map<number, number>()
  const ended = new Set<number>()
  steps.forEach((step, at) => {
    const known = made('observe', at)
    const [a, b] = [known[step.first % known.length], known[step.second % known.length]]
    if (step.do === 'observe') {
      const claims = made('believe', at).map((one) => claimOf(steps[one]))
      calls.push({ ...step, at, episodes: [], ...purposed(step, made('goal', at), claims) })
    } else if (['perceive', 'attend', 'goal', 'consolidate', 'page', 'seek', 'define'].includes(step.do)) {
      calls.push({ ...step, at, episodes: [] })
    } else if (step.do === 'link' || step.do === 'show') {
      const pages = made('page', at)
      const [page, other] = [pages[step.first % pages.length], pages[step.second % pages.length]]
      if (page !== undefined && (page !== other || step.do === 'show'))
        calls.push({ ...step, at, episodes: [...new Set([page, other])] })
    } else if (step.do === 'update' || step.do === 'replace') {
      if (a !== undefined) calls.push({ ...step, at, episodes: [a] })
    } else if (step.do === 'glimpse') {
      // Of what both memories know, so that both find it as little surprising.
      const others = new Set(calls.flatMap((call) => (CHANGING.has(call.do) ? [call.episodes[0]] : [])))
      const shared = known.filter((one) => steps[one].session === 0 && !others.has(one))
      const thing = shared[step.first % shared.length]
      if (thing !== undefined) calls.push({ ...step, ...stated(steps[thing]), at, episodes: [] })
    } else if (step.do === 'supersede') {
      const by = superseded.get(a)
      const isFree = by === undefined || (at >= unseenBefore && isUnseen(by))
      if (a === undefined || b <= a || !isFree) return
      superseded.set(a, b)
      calls.push({ ...step, at, episodes: [a, b] })
    } else if (step.do === 'associate' || step.do === 'part') {
      if (a !== undefined && a !== b) calls.push({ ...step, at, episodes: [a, b] })
    } else if (step.do === 'procedure' || step.do === 'believe' || step.do === 'relate') {
      const episodes = [...new Set(a === undefined || step.first % 4 === 0 ? [] : [a, b])]
      calls.push({ ...step, at, episodes })
    } else {
      const things = made(step.do === 'complete' ? 'goal' : 'procedure', at).filter((thing) => !ended.has(thing))
      const thing = things[step.first % things.length]
      if (thing === undefined) return
      if (step.do === 'complete') ended.add(thing)
      calls.push({ ...step, at, thing, episodes: step.do === 'complete' && b !== undefined ? [b] : [] })
    }
  })
  return calls
}

/** What a belief claims. */
function claimOf({ first, second }: Step): string {
  return `${SUBJECTS[first % 3]} likes ${OBJECTS[second % 3]}`
}

/** For what an observation is made, of the goals and the beliefs that there are. */
function purposed(
  { first, second }: Step,
  goals: readonly number[],
  claims: readonly string[],
): Pick<Call, 'goal' | 'claims'> {
  return {
    ...(goals.length > 0 && second % 3 > 0 && { goal: goals[first % goals.length] }),
    ...(claims.length > 0 && first % 3 > 0 && { claims: [first, second].map((n) => claims[n % claims.length]) }),
  }
}

/** By what an observation says what it says. */
function stated({ first, second }: Step): Pick<Step, 'first' | 'second'> {
  return { first, second }
}

/** Whether a call made what is not there without some episodes. */
function isHidden({ do: kind, at, episodes }: Call, isUnseen: (at: number) => boolean): boolean {
  return kind === 'observe' || kind === 'page' ? isUnseen(at) : episodes.length > 0 && episodes.every(isUnseen)
}

/** Opens a memory whose clock is given, or the same one again after it was closed. */
export type Place = (clock: () => number, options?: Pick<OpenOptions, 'retention' | 'encoders'>) => Promise<Agidb>

/** A memory that is told a history, a call a minute. */
export class Told {
  db!: Agidb
  now = NOW
  /** By how much later everything happens from now on, milliseconds. */
  delay = 0
  /** With what it is opened from now on. */
  options: Pick<OpenOptions, 'retention'> = {}
  /** Whether something was observed that expires. */
  expires = false
  readonly #open: Place
  readonly #expiresAt: number | undefined
  readonly #isUnseen: (at: number) => boolean
  readonly #isUntold: (at: number) => boolean
  /** Ids by the number of their step. */
  readonly #ids = new Map<number, string>()
  /** Ids of beliefs by what they claim. */
  readonly #beliefs = new Map<string, string>()
  readonly #names = new Map<string, string>()
  readonly #pages = new Pages()

  /**
   * @param open opens it, or what it stored before.
   * @param isUnseen says which episodes it never sees, by the numbers of their steps.
   * @param expiresAt when what the second session says is forgotten by itself, epoch milliseconds.
   * @param isUntold says which steps it is never told of at all.
   */
  constructor(
    open: Place,
    isUnseen: (at: number) => boolean = () => false,
    expiresAt?: number,
    isUntold: (at: number) => boolean = () => false,
  ) {
    this.#isUnseen = isUnseen
    this.#isUntold = isUntold
    this.#open = open
    this.#expiresAt = expiresAt
  }

  async open(): Promise<this> {
    this.db = await this.#open(() => this.now, { encoders: { image: colourLayout, touch: glove }, ...this.options })
    return this
  }

  /** Closes the memory and opens what it stored. */
  async reopened(): Promise<this> {
    await this.db.close()
    return this.open()
  }

  /** What a probe asks by. */
  get known(): Known {
    const of = (prefix: string) => [...this.#ids.values()].filter((id) => id.startsWith(prefix))
    return {
      goals: of('go_'),
      beliefs: of('be_'),
      procedures: of('pr_'),
      sessions: SESSIONS,
      concepts: [...SUBJECTS, ...OBJECTS],
      times: [3, 9].map((minutes) => NOW + 60_000 * minutes),
    }
  }

  /** A name for an id that twins share. */
  readonly nameOf = (id: string): string => {
    const own = this.#names.get(id)
    if (own !== undefined) return own
    if (/^ex_[0-9A-Z]{26}$/.test(id)) return 'ex'
    // The id of an event that tells of an episode ends with the id of that.
    return id.replace(/(?<=^e[vsu]_(\d+_)?)ep_[0-9A-Z]{26}$/, (episode) => this.#names.get(episode) ?? episode)
  }

  async run(calls: readonly Call[]): Promise<void> {
    for (const call of calls) await this.#call(call)
  }

  async #call({ do: kind, at, session, first, second, episodes, thing, goal, claims = [] }: Call): Promise<void> {
    if (this.#isUntold(at)) return
    this.now = NOW + 60_000 * (at + 1) + this.delay
    const { db } = this
    const here = { session: SESSIONS[session], source: `from ${SESSIONS[session]}` }
    const seen = episodes.filter((episode) => !this.#isUnseen(episode)).map((episode) => `e${episode}`)
    const isWhole = seen.length === episodes.length
    const [subject, object] = [SUBJECTS[first % 3], OBJECTS[second % 3]]
    const stated = { subject, predicate: 'likes', object }
    if (kind === 'observe') {
      if (this.#isUnseen(at)) return
      const speaker = SUBJECTS[(first + second) % 3]
      const text = `${subject} likes ${object}.`
      await db.observe(text, {
        id: `e${at}`,
        tags: [subject, object],
        ...here,
        ...this.#until(session),
        speaker,
        triples: [stated],
        ...(await this.#purpose(goal, claims)),
      })
    } else if (kind === 'update' || kind === 'replace') {
      if (!isWhole) return
      const text = `${subject} likes ${object} now.`
      await db.update(seen[0], { text, triples: [stated] }, { keep: kind === 'update' })
    } else if (kind === 'perceive') {
      if (this.#isUnseen(at)) return
      // Words that come once, so that it surprises whatever else is known.
      const text = `The qu${at}ark and the blor${at}n fend${at} the mip${at}s.`
      // Now and then it is seen and felt, too: no picture surprises more than such words.
      const latentOf = ({ dimension }: { readonly dimension: number }) =>
        Float32Array.from({ length: dimension }, (_, i) => Math.sin(i * (at + 1)))
      const latents = { image: latentOf(colourLayout), touch: latentOf(glove) }
      const { id, promotedTo } = await db.observeSensory(
        second % 2 === 0 ? { modality: 'text', text, ...here } : { modality: 'multimodal', text, latents, ...here },
      )
      this.#names.set(id, `frame ${at}`)
      if (promotedTo !== undefined) this.#names.set(promotedTo, `perceived ${at}`)
    } else if (kind === 'glimpse') {
      if (this.#isUnseen(at)) return
      const { id, promotedTo } = await db.observeSensory({
        modality: 'text',
        text: `${subject} likes ${object}.`,
        ...here,
      })
      this.#names.set(id, `frame ${at}`)
      if (promotedTo !== undefined) this.#names.set(promotedTo, `perceived ${at}`)
    } else if (kind === 'attend') {
      const { id } = await db.recall(`what does ${subject} like?`, { traceAttention: true, k: 3 })
      this.#names.set(id, `recall ${at}`)
    } else if (kind === 'page') {
      if (!this.#isUnseen(at)) await this.#pages.ingest(db, at, SESSIONS[session], subject, object)
    } else if (kind === 'link') {
      if (isWhole) await this.#pages.link(db, episodes, second % 3 > 0)
    } else if (kind === 'show') {
      const pages = episodes.filter((page) => !this.#isUnseen(page))
      if (pages.length > 0) await this.#pages.show(db, pages, first % 3, second % 3)
    } else if (kind === 'seek') {
      await this.#pages.seek(db, `what does ${subject} like?`)
    } else if (kind === 'define') {
      await this.#pages.define(db, `of ${subject}`, second % 3 > 0)
    } else if (kind === 'associate') {
      if (isWhole) await db.graph.strengthen(seen[0], seen[1], 1 + (first % 3))
    } else if (kind === 'part') {
      if (isWhole) await db.graph.forgetEdge({ a: seen[0], b: seen[1] }).catch(unlessMissing)
    } else if (kind === 'supersede') {
      if (isWhole) await db.supersede(seen[0], seen[1])
    } else if (kind === 'goal') {
      this.#named(at, await db.setGoal({ description: `drink ${object} with ${subject}` }))
    } else if (kind === 'consolidate') {
      await db.consolidate()
    } else if (episodes.length > 0 && seen.length === 0 && kind !== 'complete') {
      return
    } else if (kind === 'relate') {
      await db.graph.relate(subject, ['knows', 'MANAGES', 'uses'][first % 3], object, { evidence: seen })
    } else if (kind === 'procedure') {
      const steps = [`ask ${subject}`]
      this.#named(at, await db.learnProcedure({ name: `n${at}`, trigger: `want ${object}`, steps, evidence: seen }))
    } else if (kind === 'believe') {
      const claim = `${subject} likes ${object}`
      const id = await db.assertBelief({ claim, ...stated, confidence: 0.7, evidence: seen })
      this.#beliefs.set(claim, id)
      this.#named(at, id)
    } else {
      const id = this.#ids.get(thing!)
      if (id === undefined) return
      if (kind === 'complete') {
        if ((await db.getGoal(id)) !== undefined) await db.completeGoal(id, seen)
      } else if ((await db.getProcedure(id)) !== undefined) await db.recordExecution(id, { success: first % 2 === 0 })
    }
  }

  /** When an observation of a session expires. */
  #until(session: number): { readonly expiresAt?: number } {
    const expiresAt = this.#expiresAt
    if (session === 0 || expiresAt === undefined || this.now >= expiresAt) return {}
    this.expires = true
    return { expiresAt }
  }

  /** A goal, by the number of its step, and beliefs, as far as the memory has them. */
  async #purpose(goal: number | undefined, claims: readonly string[]): Promise<Purpose> {
    const { db } = this
    const goals = goal === undefined ? [] : await known([this.#ids.get(goal)], (id) => db.getGoal(id))
    const held = await known(
      claims.map((claim) => this.#beliefs.get(claim)),
      (id) => db.getBelief(id),
    )
    return { ...(goals.length > 0 && { goal: goals[0] }), ...(held.length > 0 && { beliefs: held }) }
  }

  #named(at: number, id: string): void {
    this.#ids.set(at, id)
    this.#names.set(id, `thing ${at}`)
  }
}

/** The ids under which there is something. */
async function known(ids: readonly (string | undefined)[], get: (id: string) => Promise<unknown>): Promise<string[]> {
  const there = await Promise.all(ids.map(async (id) => id !== undefined && (await get(id)) !== undefined))
  return ids.filter((id, i) => id !== undefined && there[i]) as string[]
}
