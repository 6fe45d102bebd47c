import { Agidb, type MemoryChange } from '../../src/runtimes/browser/index.js'

/** What a tab has done, by the wall clock. */
export interface Done {
  /** What was acknowledged: the text of each episode by its id. */
  readonly stored: Record<string, string>
  readonly goals: string[]
  /** When each call began and was answered, in milliseconds. */
  readonly calls: [began: number, answered: number][]
  readonly failures: string[]
}

/** A tab that writes and recalls until it is stopped or killed. */
const busy = {
  db: undefined as Agidb | undefined,
  told: [] as MemoryChange[],
  done: { stored: {}, goals: [], calls: [], failures: [] } as Done,
  running: false,
  ended: Promise.resolve(),

  async start(database: string, tab: string): Promise<void> {
    const db = (busy.db = await Agidb.open({ name: database, writer: tab, codebook: 'none' }))
    db.subscribe((change) => busy.told.push(change))
    busy.running = true
    busy.ended = busy.work(db, tab)
  },

  /** Resolves when the last call is answered. */
  async stop(): Promise<void> {
    busy.running = false
    await busy.ended
  },

  async work(db: Agidb, tab: string): Promise<void> {
    for (let i = 0; busy.running; i++) {
      const text = (part: number) => `Note ${i}.${part} of ${tab}: the ${i % 3 ? 'tank' : 'valve'} was checked.`
      await busy.timed(async () => {
        const id = await db.observe(text(0), i % 2 ? {} : { id: `${tab}-${i}` })
        busy.done.stored[id] = text(0)
      })
      if (i % 4 === 0) {
        await busy.timed(async () => {
          const texts = Array.from({ length: 9 }, (_, part) => text(part + 1))
          const ids = await db.observeMany(texts.map((text) => ({ text })))
          ids.forEach((id, part) => (busy.done.stored[id] = texts[part]))
        })
      }
      if (i % 8 === 0) {
        await busy.timed(async () => {
          await db.setGoal({ description: text(99) })
          busy.done.goals.push(text(99))
        })
      }
      await busy.timed(async () => {
        const { matches } = await db.recall(text(0), { k: 3 })
        if (matches.length === 0) throw new Error('nothing was recalled')
      })
    }
  },

  async timed(call: () => Promise<void>): Promise<void> {
    const began = Date.now()
    try {
      await call()
      busy.done.calls.push([began, Date.now()])
    } catch (error) {
      busy.done.failures.push(String(error))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  },

  /** What was done since the last time. */
  take(): Done {
    const { done } = busy
    busy.done = { stored: {}, goals: [], calls: [], failures: [] }
    return done
  },
}

declare global {
  interface Window {
    busy: typeof busy
  }
}

window.busy = busy
