// Runs in workerd: memories in Durable Objects that keep pictures in an R2 bucket, and a Worker that calls them.
import type { Database } from 'agidb/edge'
import {
  AgidbObject,
  exportToBucket,
  importFromBucket,
  type Bucket,
  type MediaBucket,
  remoteError,
} from 'agidb/cloudflare'
import kernel from 'agidb/kernel.wasm'

/** Takes files as they are: the counts of their bytes. */
const image = {
  modality: 'image',
  id: 'f17e'.repeat(16),
  dimension: 256,
  async encode(files: readonly unknown[]) {
    return files.map((file) => {
      const counts = new Float32Array(256)
      for (const byte of file as Uint8Array) counts[byte]++
      return counts
    })
  },
  async close() {},
} as const

interface Env {
  readonly MEDIA: MediaBucket
  readonly BACKUPS: Bucket
}

/** Bytes that depend on a seed alone and do not compress. */
function picture(seed: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = seed + 1
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[i] = state >>> 16
  }
  return bytes
}

/** Pictures in the database, as before a bucket was bound. */
export class Before extends AgidbObject<Env> {
  override options: AgidbObject['options'] = {
    kernel,
    encoders: { image },
    consolidateAfterMs: 200,
    tombstoneDays: 0,
  }

  /** Keeps a picture with an episode, in the memory itself or in a scope. */
  async keep(id: string, seed: number, bytes: number, user?: string | null, context = {}): Promise<string> {
    const db = await this.memory(user)
    return db.observeMultimodal({ image: picture(seed, bytes) }, { id, keep: 'original', ...context })
  }

  /** The seed of the picture that is kept, of those up to 20; -1 where it is another. */
  async seedOf(id: string, user?: string | null): Promise<number> {
    return this.coded(async () => {
      const stream = await (await this.memory(user)).media(id)
      const kept = new Uint8Array(await new Response(stream).arrayBuffer())
      const isKept = (_: unknown, seed: number) => picture(seed, kept.length).every((byte, i) => byte === kept[i])
      return Array.from({ length: 20 }, isKept).indexOf(true)
    })
  }

  async unlearnOne(id: string, user?: string | null): Promise<void> {
    await (await this.memory(user)).unlearn({ episode: id }, 'asked to')
  }

  async backUp(key: string): Promise<number> {
    return this.coded(async () => exportToBucket(await this.open(), this.env.BACKUPS, key))
  }

  async comeBack(key: string): Promise<number> {
    const report = await importFromBucket(await this.open(), this.env.BACKUPS, key, { replace: true })
    return report.episodes
  }

  /** Bytes of the rows of a memory, without opening it. */
  async rowBytes(): Promise<number> {
    const rows = this.ctx.storage.sql.exec('SELECT sum(length(bytes)) AS bytes FROM agidb_rows').toArray()
    return (rows as { bytes: number }[])[0].bytes
  }

  /** How much is still to be deleted from the bucket. Opens no memory. */
  async listed(): Promise<number> {
    const { sql } = this.ctx.storage
    const tables = sql.exec(`SELECT name FROM sqlite_master WHERE name LIKE 'agidb%media' AND type = 'table'`)
    const counts = (tables.toArray() as { name: string }[]).map(
      ({ name }) => (sql.exec(`SELECT count(*) AS count FROM ${name}`).toArray() as { count: number }[])[0].count,
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }

  protected async memory(user?: string | null): Promise<Database> {
    const db = await this.open()
    return typeof user !== 'string' ? db : db.scope({ user })
  }

  protected async coded<T>(work: () => Promise<T>): Promise<T> {
    return work().catch((error: { readonly code?: string; readonly message: string }) => {
      throw new Error(`${error.code}: ${error.message}`)
    })
  }
}

/** Whether puts are to hang once they are done, as long as this process lives. */
let hangs = false
let gets = 0

export class Album extends Before {
  override options: AgidbObject['options'] = {
    kernel,
    encoders: { image },
    consolidateAfterMs: 200,
    tombstoneDays: 0,
    mediaBucket: this.paused(this.env.MEDIA),
  }

  /** From now on a put never resolves, although it is done. */
  async hang(): Promise<void> {
    hangs = true
  }

  /** How many objects this process has read. */
  async gets(): Promise<number> {
    return gets
  }

  private paused(bucket: MediaBucket): MediaBucket {
    return {
      put: async (key, bytes) => {
        await bucket.put(key, bytes)
        if (hangs) await new Promise(() => {})
      },
      get(key) {
        gets++
        return bucket.get(key)
      },
      delete: (keys) => bucket.delete(keys),
      list: (options) => bucket.list(options),
    }
  }
}

/** The class of one object, which names a bucket from its second life on. */
export class Later extends Before {
  constructor(...given: ConstructorParameters<typeof Before>) {
    super(...given)
    const { storage } = this.ctx
    const isBound = storage.sql.exec(`SELECT 1 FROM sqlite_master WHERE name = 'bound'`).toArray().length > 0
    if (isBound) this.options = { ...this.options, mediaBucket: this.env.MEDIA }
  }

  async bind(isBound: boolean): Promise<void> {
    this.ctx.storage.sql.exec(isBound ? 'CREATE TABLE bound (row INTEGER)' : 'DROP TABLE bound')
  }
}

interface Namespace {
  idFromName(name: string): unknown
  get(id: unknown): Record<string, (...args: unknown[]) => Promise<unknown>>
}

export default {
  async fetch(request: Request, namespaces: Readonly<Record<string, Namespace>>): Promise<Response> {
    const { user, method, args } = (await request.json()) as { user: string; method: string; args: unknown[] }
    const [binding] = user.split(' ')
    const place = namespaces[binding]
    try {
      return Response.json({ answer: (await place.get(place.idFromName(user))[method](...args)) ?? null })
    } catch (error) {
      const { code, message } = remoteError(error) ?? { code: undefined, message: String(error) }
      return Response.json({ error: { code, message } }, { status: 400 })
    }
  },
}
