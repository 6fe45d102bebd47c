import fc from 'fast-check'
import type { Agidb } from '../../../../src/api/agidb.js'
import type { Changes } from '../../../../src/api/sync.js'
import { memoryStorage } from '../../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { listed, NOW, openMemory } from '../../engine/open.js'

export const DEVICES = 3
const WHO = ['Ann', 'Bo', 'Cy']
const WHAT = ['likes tea', 'drinks coffee', 'lives in Oslo', 'fixed the pump', 'saw the rain']
const CUES = [
  'Who likes tea?',
  'coffee',
  'where does Bo live?',
  'what did Ann say?',
  'the pump',
  'rain',
  'Oslo',
  'Cy',
  'what is the goal?',
  'secret',
]

/** What is done at a step of a history, on one of the devices. */
export interface Step {
  readonly do:
    | 'observe'
    | 'observe'
    | 'update'
    | 'supersede'
    | 'unlearn'
    | 'restore'
    | 'goal'
    | 'place'
    | 'complete'
    | 'give'
    | 'late'
    | 'reopen'
  readonly device: number
  readonly first: number
  readonly second: number
}

/** Histories of three devices, in which some meet and some stay away. */
export const histories: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    do: fc.constantFrom<Step['do']>(
      ...(['observe', 'observe', 'observe', 'update', 'supersede', 'unlearn', 'unlearn', 'restore'] as const),
      ...(['goal', 'place', 'complete', 'give', 'give', 'give', 'late', 'reopen'] as const),
    ),
    device: fc.nat(DEVICES - 1),
    first: fc.nat(99),
    second: fc.nat(99),
  }),
  { minLength: 4, maxLength: 40 },
)

/** Where the memory of a device is stored: in a folder, or in main memory, which cannot be opened again. */
export type Folder = string | undefined

/** Three devices of one person, whose clocks differ. */
export class Devices {
  readonly #folders: readonly Folder[]
  readonly #dbs: Agidb[] = []
  readonly #audits: string[][] = []
  /** Changes that were made and may arrive later, or again. */
  readonly #underway: Changes[] = []
  readonly unlearned = new Set<string>()
  /** Whether the clocks show the same: later than any of them did. */
  agree = false
  #now = NOW
  #said = 0

  /** @param folders of each device. */
  constructor(folders: readonly Folder[]) {
    this.#folders = folders
  }

  get all(): readonly Agidb[] {
    return this.#dbs
  }

  async open(): Promise<this> {
    for (let i = 0; i < this.#folders.length; i++) {
      this.#dbs[i] = await this.#opened(i)
      this.#audits[i] = []
    }
    return this
  }

  async close(): Promise<void> {
    for (const db of this.#dbs) await db.close()
  }

  /** Does a step; one that the device refuses, since what it needs is not there, changes nothing. */
  async take({ do: kind, device, first, second }: Step): Promise<void> {
    this.#now += 1 + (second % 3 === 0 ? 0 : second * 1_000)
    const db = this.#dbs[device]
    const some = await listed(db)
    const [a, b] = [some[first % some.length], some[second % some.length]]
    if (kind === 'observe') await this.#observe(db, first, second)
    else if (kind === 'update' && a !== undefined) await db.update(a.id, { text: this.#text(second, first) })
    else if (kind === 'supersede' && a !== undefined) await refused(() => db.supersede(a.id, b.id))
    else if (kind === 'unlearn' && a !== undefined) {
      const { auditId } = await db.unlearn({ episode: a.id }, 'asked')
      this.#audits[device].push(auditId!)
    } else if (kind === 'restore') {
      const audits = this.#audits[device]
      if (audits.length > 0) await refused(() => db.restoreWithinWindow(audits[first % audits.length]))
    } else if (kind === 'goal') await db.setGoal({ description: `visit ${WHO[first % 3]} ${this.#said++}` })
    else if (kind === 'place' || kind === 'complete') await this.#goal(db, kind, first, second)
    else if (kind === 'give') await this.#give(device, (device + 1 + (first % (DEVICES - 1))) % DEVICES, second)
    else if (kind === 'late' && this.#underway.length > 0)
      await db.apply(this.#underway[first % this.#underway.length]).catch(expectOwn)
    else if (kind === 'reopen' && this.#folders[device] !== undefined) {
      await db.close()
      this.#dbs[device] = await this.#opened(device)
    }
  }

  /** Has all devices receive everything. */
  async meet(): Promise<void> {
    for (let round = 0; round < 2; round++)
      for (let from = 0; from < DEVICES; from++)
        for (let to = 0; to < DEVICES; to++) if (from !== to) await give(this.#dbs[from], this.#dbs[to])
  }

  /** Lets the windows of all unlearnings pass, and has every device erase what it forgot. */
  async expire(): Promise<void> {
    this.#now += 40 * 86_400_000
    for (const db of this.#dbs) {
      await db.expire()
      await db.compact()
    }
  }

  #opened(device: number): Promise<Agidb> {
    const folder = this.#folders[device]
    // The clock of the second is an hour late, that of the third a minute ahead.
    const clock = () => this.#now + (this.agree ? 7_200_000 : [0, -3_600_000, 60_000][device])
    return openMemory({
      storage: folder === undefined ? memoryStorage() : nodeStorage(folder),
      clock,
      seed: undefined,
    })
  }

  #text(first: number, second: number): string {
    return `${WHO[first % WHO.length]} ${WHAT[second % WHAT.length]} and number${this.#said++}x.`
  }

  async #observe(db: Agidb, first: number, second: number): Promise<void> {
    const context = { session: `s${first % 2}`, speaker: WHO[second % 3] }
    const text = this.#text(first, second)
    // Some have an id that another device may choose as well.
    const id = first % 5 === 0 ? `chosen-${second % 3}` : undefined
    const goals = second % 2 === 0 ? [] : await db.goals()
    const goal = goals[first % goals.length]?.id
    await refused(() => db.observe(text, { ...context, ...(id && { id }), goal }))
  }

  async #goal(db: Agidb, kind: 'place' | 'complete', first: number, second: number): Promise<void> {
    const goals = await db.goals()
    const goal = goals[first % goals.length]
    if (goal === undefined) return
    const parent = goals[second % goals.length].id
    await refused(() => (kind === 'complete' ? db.completeGoal(goal.id) : db.reviseGoal(goal.id, { parent })))
  }

  /** One device tells another a part, or all. */
  async #give(from: number, to: number, second: number): Promise<void> {
    const since = second % 4 === 0 ? {} : await this.#dbs[to].versionVector()
    const changes = await this.#dbs[from].changes(since, second % 3 === 0 ? { maxBytes: 1_024 } : {})
    if (second % 5 === 0) this.#underway.push(changes)
    // Some never arrive.
    if (second % 7 !== 0) await this.#dbs[to].apply(changes)
  }
}

/** A device may be given what it said itself. */
function expectOwn(error: unknown): void {
  if ((error as { readonly code?: string }).code !== 'AGIDB_SYNC') throw error
}

/** Has `to` receive what `from` has, over and over until nothing is left. */
export async function give(from: Agidb, to: Agidb): Promise<void> {
  for (;;) {
    const changes = await from.changes(await to.versionVector())
    await to.apply(changes)
    if (!changes.more) return
  }
}

/** What a memory answers to what it is asked, down to the last bit of a confidence. */
export async function asked(db: Agidb): Promise<unknown> {
  const goals = await db.goals()
  return {
    episodes: await listed(db),
    recalled: await Promise.all(
      CUES.map(async (cue) => {
        const { matches, activeGoals } = await db.recall(cue)
        return {
          matches: matches.map(({ id, confidence, text, signals }) => ({ id, confidence, text, signals })),
          activeGoals,
        }
      }),
    ),
    goals,
  }
}

async function refused(work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => {
    if (typeof (error as { readonly code?: string }).code !== 'string') throw error
  })
}
