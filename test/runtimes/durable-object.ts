// Runs in workerd: a memory in a Durable Object, and a Worker that calls it; and objects that run the storage contract.
import type { ExportOptions, ImportOptions, ImportReport, ObserveContext } from 'agidb'
import {
  AgidbObject,
  type Bucket,
  durableObjectStorage,
  exportToBucket,
  importFromBucket,
  type ObjectState,
  remoteError,
  type RemoteMethods,
} from 'agidb/cloudflare'
import codebook from 'agidb/codebook.bin'
import kernel from 'agidb/kernel.wasm'
import { storageContract } from 'agidb/storage-contract'
import { FIXED } from './remember-and-recall.ts'

export class Memory extends AgidbObject<{ readonly BACKUPS: Bucket }> {
  override options = { kernel, codebook, ...FIXED, consolidateAfterMs: 200 }

  async backUp(key: string, options?: ExportOptions): Promise<number> {
    return withCode(async () => exportToBucket(await this.open(), this.env.BACKUPS, key, options))
  }

  async comeBack(key: string, options?: ImportOptions): Promise<ImportReport> {
    return withCode(async () => importFromBucket(await this.open(), this.env.BACKUPS, key, options))
  }

  async hasBackUp(key: string): Promise<boolean> {
    return (await this.env.BACKUPS.get(key)) !== null
  }
}

/** Between Workers an error keeps its message alone. */
async function withCode<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: { readonly code?: string }) => {
    throw new Error(error.code ?? String(error))
  })
}

/** How often the object of each id was constructed in this isolate, and how many alarms it had. */
const lives = new Map<string, { constructed: number; alarms: number }>()

/** A memory with the clock of the system, for what happens when time passes. */
export class Diary extends AgidbObject {
  override options = { kernel, consolidateAfterMs: 200, tombstoneDays: 0 }
  readonly #life

  constructor(...given: ConstructorParameters<typeof AgidbObject>) {
    super(...given)
    const id = String((given[0] as unknown as { id: unknown }).id)
    this.#life = lives.get(id) ?? { constructed: 0, alarms: 0 }
    this.#life.constructed++
    lives.set(id, this.#life)
  }

  override async alarm(): Promise<void> {
    await super.alarm()
    this.#life.alarms++
  }

  /** Opens no memory. */
  async life(): Promise<{ constructed: number; alarms: number }> {
    return this.#life
  }

  /** Whether any value of the database has a text in it. Opens no memory. */
  async holds(text: string): Promise<boolean> {
    const { sql } = this.ctx.storage
    const tables = sql.exec("SELECT name FROM sqlite_master WHERE name LIKE 'agidb%' AND type = 'table'").toArray()
    const rows = tables.flatMap((table) => sql.exec(`SELECT * FROM ${(table as { name: string }).name}`).toArray())
    return rows
      .flatMap((row) => Object.values(row as object))
      .some((value) => (value instanceof ArrayBuffer ? new TextDecoder().decode(value) : String(value)).includes(text))
  }

  /** Writes as a method of an application does: not by the stub. */
  async note(text: string): Promise<string> {
    return (await this.open()).observe(text)
  }

  /** The same in a scope, which stays open unless `closes`. */
  async noteIn(user: string, text: string, context: ObserveContext = {}, closes = false): Promise<string> {
    const scope = (await this.open()).scope({ user })
    const id = await scope.observe(text, context)
    if (closes) await scope.close()
    return id
  }

  async recallIn(user: string, cue: string): Promise<string[]> {
    const { matches } = await (await this.open()).scope({ user }).recall(cue)
    return matches.map(({ text }) => text)
  }

  /** How many beliefs a scope has. */
  async atomsIn(user: string): Promise<number> {
    return (await (await this.open()).scope({ user }).stats()).atoms
  }
}

const FEATURES = { durable: true, parts: ['signatures', 'checkpoint'] } as const

/** Each case of the contract runs in an object of its own, whose database is empty. */
export class Contract {
  readonly #state: ObjectState

  constructor(state: ObjectState) {
    this.#state = state
  }

  async fetch(request: Request): Promise<Response> {
    const wanted = decodeURIComponent(new URL(request.url).hash || new URL(request.url).searchParams.get('case')!)
    const tests = storageContract(FEATURES, () => ({ adapter: () => durableObjectStorage(this.#state.storage) }))
    try {
      await tests.find(({ name }) => name === wanted)!.run()
      return new Response('passed')
    } catch (error) {
      return new Response(error instanceof Error ? error.stack : String(error), { status: 500 })
    }
  }
}

interface Namespace<T> {
  idFromName(name: string): unknown
  get(id: unknown): T
}

interface Environment {
  readonly MEMORY: Namespace<RemoteMethods>
  readonly DIARY: Namespace<RemoteMethods>
  readonly CONTRACT: Namespace<Contract>
}

export default {
  async fetch(request: Request, { MEMORY, DIARY, CONTRACT }: Environment): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/cases')
      return Response.json(storageContract(FEATURES, () => Promise.reject(new Error())).map(({ name }) => name))
    if (pathname === '/contract') return CONTRACT.get(CONTRACT.idFromName(searchParams.get('case')!)).fetch(request)
    const { user, method, args } = (await request.json()) as { user: string; method: string; args: unknown[] }
    const place = user.startsWith('diary') ? DIARY : MEMORY
    const memory = place.get(place.idFromName(user))
    const started = Date.now()
    try {
      let owner = memory as unknown as Record<string, never>
      const path = method.split('.')
      for (const member of path.slice(0, -1)) owner = owner[member]
      const answer: unknown = await (owner[path.at(-1)!] as (...args: unknown[]) => Promise<unknown>)(...args)
      return Response.json({ answer: answer ?? null, ms: Date.now() - started })
    } catch (error) {
      const { code, message } = remoteError(error) ?? { code: undefined, message: String(error) }
      return Response.json({ error: { code, message } }, { status: 400 })
    }
  },
}
