import { DurableObject } from 'cloudflare:workers'
import type { Agidb } from '../../api/agidb.js'
import { methodAt } from '../../api/method-path.js'
import type { OpenOptions } from '../../api/open-options.js'
import { optionsOf } from '../../api/option-table.js'
import { checkKeys, checkNumber } from '../../api/check.js'
import { changes, METHODS } from '../../api/registry.js'
import type { Database } from '../../api/scope.js'
import { customStorage } from '../../storage/adapters/custom.js'
import type { MediaBucket } from '../../storage/media/media-bucket.js'
import { MediaStorage } from '../../storage/media/media-storage.js'
import { type InIsolate, openInIsolate } from '../edge/open.js'
import { Alarms, LONGEST_MS } from './alarms.js'
import { withCodeInMessage } from './remote-error.js'
import { type ObjectState, placeOf } from './storage.js'

/** Options of the memory of an object: those of `open` on the edge, but for the place. */
export type ObjectOptions = OpenOptions & {
  /**
   * How long after a change an alarm consolidates what was learned, in milliseconds, a year at most, and what is to be
   * forgotten is forgotten at most that much later. Default 600,000.
   */
  readonly consolidateAfterMs?: number
  /**
   * The bucket of R2 for the bytes of pictures and sounds that are kept. Default: none, they are in the database of the
   * object. Once a memory has media there it is not opened without.
   */
  readonly mediaBucket?: MediaBucket
}

const CONSOLIDATE_AFTER_MS = 600_000
/** Changes after which the indexes are stored: an object that is asked after a pause opens anew. */
const KEEP_AFTER = 64

/** The methods that cannot be called from another Worker: pages, listeners, and the end of the memory. */
type Local = 'subscribe' | 'episodes' | 'scope' | 'close' | typeof Symbol.asyncDispose
/** The methods of a memory that a Worker calls on the stub of an object. */
export type RemoteMethods = Omit<Agidb, Local>

/** Methods of a member such as `entries`, as they are called for an object. */
type Group = Record<string, (object: AgidbObject, args: unknown[]) => Promise<unknown>>

const groups = new Map<string, Group>()

/**
 * A memory in a Durable Object, one for each user or agent. Extend it, export the class and bind it with
 * `new_sqlite_classes`:
 *
 * ```ts
 * export class Memory extends AgidbObject {
 *   override options = { kernel, codebook }
 * }
 * ```
 *
 * A Worker then calls the methods of the memory on its stub: `env.MEMORY.getByName('ann').recall('thai place')`. Those
 * that give pages or take a listener are for the object itself, by `this.open()`. {@link remoteError}
 * gives what they reject with its code back.
 *
 * The memory is opened by the first call. An alarm consolidates it, and those of its scopes, some time after they
 * changed; others forget what expires, and erase what was forgotten. No timer runs, so that the platform can evict an
 * object that is idle.
 */
export abstract class AgidbObject<Env = unknown> extends DurableObject<Env> {
  // Fields of an object cannot be reached from another Worker, as its methods can.

  /** Options of the memory. Default: none, which is the TypeScript kernel without a codebook. */
  options: ObjectOptions = {}

  /**
   * The memory, which is opened when it is first asked for.
   *
   * @throws AgidbError what opening throws: `AGIDB_UNKNOWN_OPTION`, `AGIDB_INVALID_ARGUMENT`, `AGIDB_CORRUPT`. Then the
   * next call tries again.
   */
  readonly open: () => Promise<Database>
  readonly #memory: () => Promise<InIsolate>
  readonly #alarms: Alarms

  constructor(ctx: ObjectState, env: Env) {
    super(ctx, env)
    this.#alarms = new Alarms(ctx.storage, () => this.options.consolidateAfterMs ?? CONSOLIDATE_AFTER_MS)
    let memory: Promise<InIsolate> | undefined
    this.#memory = () => {
      memory ??= openIn(ctx, this.options, this.#alarms).catch((error: unknown) => {
        memory = undefined
        throw error
      })
      return memory
    }
    this.open = async () => (await this.#memory()).database
  }

  static {
    for (const method of Object.keys(METHODS).filter((method) => !isLocal(method))) {
      const [group, name] = method.includes('.') ? method.split('.') : [undefined, method]
      const call = (object: AgidbObject, args: unknown[]) => object.#call(method, args)
      if (group === undefined)
        define(AgidbObject.prototype, name, {
          value(this: AgidbObject, ...args: unknown[]) {
            return call(this, args)
          },
        })
      else groupOf(AgidbObject.prototype, group)[name] = call
    }
  }

  async #call(method: string, args: readonly unknown[]): Promise<unknown> {
    try {
      const db = await this.open()
      const answer = await methodAt(db, method)(...args)
      if (changes(method, args)) await this.#alarms.changed()
      return answer
    } catch (error) {
      throw withCodeInMessage(error)
    }
  }

  /** Consolidates what changed, and forgets and erases what is due, in scopes, too. Called by the platform. */
  async alarm(): Promise<void> {
    await this.#alarms.attend(async (scope) => (await this.#memory()).attend(scope))
  }
}

// biome-ignore lint/correctness/noUnusedVariables: it must have the parameters of the class
export interface AgidbObject<Env> extends RemoteMethods {}

/** The methods of a member. It is defined the first time: read of an object, it has the methods of that object. */
function groupOf(prototype: object, name: string): Group {
  const known = groups.get(name)
  if (known !== undefined) return known
  const group: Group = {}
  groups.set(name, group)
  define(prototype, name, {
    get(this: AgidbObject) {
      const calls = Object.entries(group).map(([method, call]) => [method, (...args: unknown[]) => call(this, args)])
      return Object.fromEntries(calls) as unknown
    },
  })
  return group
}

function define(prototype: object, name: string, property: PropertyDescriptor): void {
  Object.defineProperty(prototype, name, { configurable: true, ...property })
}

/** Whether a method is for the object itself. */
function isLocal(method: string): boolean {
  return method === 'close' || ['pages', 'changes'].includes(METHODS[method as keyof typeof METHODS].output ?? '')
}

/** Opens the memory of an object; `attend` answers 0, too, while objects are to be deleted from the bucket. */
async function openIn(
  { storage }: ObjectState,
  { consolidateAfterMs = CONSOLIDATE_AFTER_MS, ...options }: ObjectOptions,
  alarms: Alarms,
): Promise<InIsolate> {
  checkNumber('consolidateAfterMs', consolidateAfterMs, 0, LONGEST_MS)
  const { mediaBucket, ...opening } = options
  checkKeys('open', opening, optionsOf('edge'))
  const changed = (scope?: string): Promise<void> => alarms.changed(scope)
  const place = placeOf(storage, 'mediaBucket' in options ? { mediaBucket } : {}, changed)
  // The next change sets the alarm where one could not.
  const memory = await openInIsolate(
    customStorage(place),
    opening,
    { keepAfter: KEEP_AFTER },
    (scope) => void changed(scope).catch(() => {}),
  )
  try {
    await alarms.set(true)
  } catch (error) {
    await memory.database.close().catch(() => {}) // The next call opens it again.
    throw error
  }
  if (!(place instanceof MediaStorage)) return memory
  return {
    ...memory,
    async attend(scope) {
      const untilDue = await memory.attend(scope)
      return (await place.sweep(scope)) ? untilDue : 0
    },
  }
}
