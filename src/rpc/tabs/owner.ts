import type { Agidb } from '../../api/agidb.js'
import type { EpisodesOptions } from '../../api/episode-pages.js'
import type { Caller, Serving } from '../../api/caller.js'
import { AgidbError } from '../../base/errors.js'
import type { MethodTable } from '../../api/methods/method.js'
import type { Method } from '../../api/registry.js'
import { outcome } from '../../base/outcome.js'
import type { Progress } from '../../base/progress.js'
import type { Admission } from './admission.js'
import { fromClientIn, remoteSpec } from './boundary.js'
import type { RemoteMethod, FromOwner, Notice, Question } from './protocol.js'
import type { Channel, namesOf, TabEnvironment } from './environment.js'
import { toBlob } from '../codec/blobs.js'
import { ArrivingItems } from '../codec/item-parts.js'
import { addLocalOptions } from '../codec/local-options.js'
import { RunningCalls } from '../codec/running-calls.js'

/** An engine that other tabs may call. */
export type Shared = Agidb & Serving

/** Milliseconds that calls have to end by themselves when the owner leaves. */
const LEAVE_MS = 2000

/** Another tab that calls this one's engine. */
interface Client {
  readonly pipe: Channel
  readonly running: RunningCalls
  /** The items of calls that are about to come. The tab's own worker has limited how many they may be. */
  readonly items: ArrivingItems
}

/**
 * Calls a method of an engine, takes a page of its episodes, or admits a tab.
 *
 * @param admission absent where the engine was opened by the tab that asks.
 */
export async function callEngine(
  engine: Shared,
  caller: Caller,
  method: RemoteMethod,
  args: readonly unknown[],
  admission?: Admission,
): Promise<unknown> {
  if (method === 'admit') return admission && (await admission.load()).admit(engine, admission.encryption, args[0])
  if (method === 'page') return engine.page(...(args as [EpisodesOptions | undefined, number?]))
  return engine.serve(caller, method as Method, args)
}

/** The tab that lets others call its engine. */
export interface OwnerOptions {
  readonly place: TabEnvironment
  readonly names: ReturnType<typeof namesOf>
  /** The methods that tabs may call. Default: the registry. */
  readonly methods?: MethodTable
  /** What tabs are opened with must be as this. */
  readonly admission?: Admission
  /** Tells all tabs. */
  post(notice: Notice): void
}

/** The owner's side: lets other tabs call its engine. Takes their calls from the moment at which it is to have one. */
export class Owner {
  /** Names this term of owning the database, so that no client takes it for another term. */
  readonly term = crypto.getRandomValues(new Uint32Array(4)).join('-')
  readonly #engine: Promise<Shared>
  #begin!: (engine: Shared) => void
  #isOpen = false
  readonly #clients = new Map<string, Client>()
  readonly #running = new Set<Promise<unknown>>()
  readonly #end = new AbortController()
  #unsubscribe = () => {}
  #leaving = false

  readonly #options: OwnerOptions

  constructor(options: OwnerOptions) {
    this.#options = options
    this.#engine = new Promise((resolve) => (this.#begin = resolve))
    options.post({ kind: 'opening', term: this.term })
  }

  /** The database is open: the calls that wait for it are made. */
  begin(engine: Shared, handle: string): void {
    this.#isOpen = true
    this.#unsubscribe = engine.subscribe(({ own: _, ...change }) => this.#options.post({ kind: 'change', change }))
    for (const caller of engine.callers) if (caller !== handle && !this.#clients.has(caller)) this.#watch(caller)
    this.#begin(engine)
    this.#options.post({ kind: 'owner', term: this.term })
  }

  /** A tab looks for the owner. It holds its lock since before that. */
  announced(from: string): void {
    if (this.#leaving) return
    let client = this.#clients.get(from)
    if (client === undefined) {
      client = {
        pipe: this.#options.place.channel(this.#options.names.tab(from)),
        running: new RunningCalls(),
        items: new ArrivingItems(),
      }
      this.#clients.set(from, client)
      this.#listen(from, client)
      this.#watch(from)
    }
    const locked = typeof this.#options.admission?.encryption === 'object'
    post(client, { kind: 'welcome', term: this.term, open: this.#isOpen, locked })
  }

  /** Takes no more calls, and waits a while for those that run. */
  async leave(own: Iterable<Promise<unknown>>): Promise<void> {
    this.#leaving = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise((resolve) => (timer = setTimeout(resolve, LEAVE_MS)))
    await Promise.race([Promise.allSettled([...this.#running, ...own]), late])
    clearTimeout(timer)
  }

  /** Lets go of all clients; their calls that were not answered are theirs to ask again. */
  close(): void {
    this.#leaving = true
    this.#end.abort()
    this.#unsubscribe()
    for (const { pipe, running } of this.#clients.values()) {
      running.abortAll()
      pipe.close()
    }
    this.#clients.clear()
  }

  /** Waits for the end of a tab, whose lock then becomes free. */
  #watch(from: string): void {
    const gone = async () => {
      const client = this.#clients.get(from)
      this.#clients.delete(from)
      client?.pipe.close()
      void this.#engine.then((engine) => engine.forget(from))
    }
    this.#options.place.locks.request(this.#options.names.tab(from), { signal: this.#end.signal }, gone).catch(() => {})
  }

  #listen(from: string, client: Client): void {
    client.pipe.onmessage = ({ data }) => {
      const message = fromClientIn(data)
      if (message?.term !== this.term || this.#leaving) return
      if (message.kind === 'abort') client.running.abort(message.call)
      else if (message.kind === 'part') client.items.add(message.call, message.items)
      else void this.#track(this.#answer(from, client, message))
    }
  }

  async #answer(
    from: string,
    client: Client,
    { call, method, args, inParts, progress, writer, readOnly, received }: Question,
  ): Promise<void> {
    const { running, items } = client
    if (running.has(call)) return // it will be answered
    const signal = running.begin(call)
    const arrived = items.take(call) ?? []
    const given = inParts ? [arrived, ...args.slice(1)] : args
    const engine = await this.#engine
    if (this.#end.signal.aborted) return
    engine.received(from, received)
    const local = {
      signal,
      ...(progress && { onProgress: (progress: Progress) => post(client, { kind: 'progress', call, progress }) }),
    }
    const answer = await outcome(async () => {
      const spec = remoteSpec(method, this.#options.methods)
      return toBlob(
        await callEngine(
          engine,
          { writer, from, call, readOnly },
          method,
          addLocalOptions(spec, given, local),
          this.#options.admission,
        ),
      )
    })
    running.end(call)
    // The next owner will have it done, if this one has not.
    if (this.#end.signal.aborted || (!answer.ok && answer.error.code === 'AGIDB_CLOSED')) return
    post(client, { kind: 'answer', call, outcome: answer })
  }

  async #track(running: Promise<unknown>): Promise<void> {
    this.#running.add(running)
    await running.finally(() => this.#running.delete(running))
  }
}

function post({ pipe }: Client, message: FromOwner): void {
  try {
    pipe.postMessage(message)
  } catch (error) {
    if (message.kind !== 'answer') return // the channel is closed
    const reason = error instanceof Error ? error.message : String(error)
    const wire = new AgidbError('AGIDB_INTERNAL', `the answer did not cross to the other tab: ${reason}`)
    try {
      pipe.postMessage({
        ...message,
        outcome: { ok: false, error: { code: wire.code, message: wire.message, details: {} } },
      } satisfies FromOwner)
    } catch {
      // The tab is gone.
    }
  }
}
