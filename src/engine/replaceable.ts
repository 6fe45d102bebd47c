import type { Agidb } from '../api/agidb.js'
import type { Episode } from '../api/episode.js'
import type { EpisodesOptions } from '../api/episode-pages.js'
import type { Caller } from '../api/caller.js'
import { AgidbError } from '../base/errors.js'
import { methodAt, putMethod } from '../api/method-path.js'
import { METHODS, refusedToWrite, type Method, type Result } from '../api/registry.js'
import type { ExportSource, ImportOptions, ImportReport } from '../api/portable.js'
import type { ApplyReport, Changes } from '../api/sync.js'
import { checkImport } from '../transfer/options.js'
import type { Engine } from './engine.js'
import type { Renew } from './follow.js'
import type { Apply, Replace } from './replacement.js'

/** Methods that answer at once, not with a promise. */
const IMMEDIATE: ReadonlySet<PropertyKey> = new Set(['subscribe', 'received', 'forget', 'constructor'])

/**
 * Stands for the engine that is in use. An import waits for the running calls. Calls that come during the import wait
 * for its end, and then go to the new engine.
 *
 * @param self the program that opened it.
 * @param calledBack whether a function of the caller's runs now, for which a call waits. What this function calls must
 * not wait for the end of that call.
 * @param renewable is given what replaces the engine by another.
 */
export function replaceable(
  first: Engine,
  self: Caller,
  replace: Replace<Engine>,
  apply: Apply<Engine>,
  calledBack: () => boolean,
  renewable: (renew: Renew<Engine>) => void,
): Engine {
  let engine = first
  let running = 0
  let quiet = (): void => {}
  let importing: Promise<unknown> | undefined

  const pass = async <T>(call: () => T | Promise<T>): Promise<T> => {
    while (importing !== undefined && !calledBack()) await importing
    running++
    try {
      return await call()
    } finally {
      if (--running === 0) quiet()
    }
  }

  /** Waits for the running calls, and makes new calls wait until the engine is replaced. */
  const alone = async <T>(next: () => Promise<{ readonly engine: Engine; readonly report: T }>): Promise<T> => {
    while (importing !== undefined) await importing
    const replaced = async (): Promise<T> => {
      if (running > 0) await new Promise<void>((resolve) => (quiet = resolve))
      const after = await next()
      engine = after.engine
      return after.report
    }
    const report = replaced()
    importing = report
      .then(
        () => {},
        () => {},
      )
      .finally(() => (importing = undefined))
    return report
  }

  const imported = async (by: Caller, source: ExportSource, options: ImportOptions = {}): Promise<ImportReport> => {
    checkImport(options)
    return alone(async () => {
      const done = engine.idempotencyLog.find(by)
      // An earlier owner imported this, and could not answer any more.
      if (done !== undefined) return { engine, report: done.answer as ImportReport }
      return replace(engine, by, source, options)
    })
  }

  const applied = (by: Caller, changes: Changes | Uint8Array): Promise<ApplyReport> =>
    alone(() => apply(engine, by, changes))

  const own: Pick<Engine, 'import' | 'apply' | 'episodes' | 'serve'> & Partial<Engine> = {
    async serve<M extends Method>(caller: Caller, method: M, args: readonly unknown[]): Promise<Result<M>> {
      if (method !== 'import' && method !== 'apply') return pass(() => engine.serve(caller, method, args))
      if (caller.readOnly) throw refusedToWrite(method)
      if (method === 'apply') return (await applied(caller, ...(args as Parameters<Agidb['apply']>))) as Result<M>
      return (await imported(caller, ...(args as Parameters<Agidb['import']>))) as Result<M>
    },
    import: (source, options) => imported(self, source, options),
    apply: (changes) => applied(self, changes),
    async *episodes(options?: EpisodesOptions): AsyncGenerator<Episode[], void, undefined> {
      const begun = await pass(async () => engine)
      const pages = begun.episodes(options)
      for (;;) {
        const page = await pass(() => {
          if (engine !== begun)
            throw new AgidbError(
              'AGIDB_CLOSED',
              'the memory was replaced by an import while its episodes were being listed; begin again',
            )
          return pages.next()
        })
        if (page.done) return
        yield page.value
      }
    },
  }

  renewable((next) => alone(async () => ({ engine: await next(engine), report: undefined })))

  // Members that hold methods, such as `graph`.
  for (const name of Object.keys(METHODS))
    if (name.includes('.'))
      putMethod(own, name, (...args: unknown[]) =>
        pass(() => methodAt<(...args: unknown[]) => Promise<unknown>>(engine, name)(...args)),
      )

  const methods = new Map<PropertyKey, unknown>()
  return new Proxy(first, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof typeof own]
      const member: unknown = Reflect.get(engine, name, engine)
      if (typeof member !== 'function') return member
      if (!methods.has(name)) {
        // Looked up with each call, because the engine may be another one by then.
        const call = (...args: unknown[]): unknown =>
          (Reflect.get(engine, name, engine) as (...args: unknown[]) => unknown).apply(engine, args)
        methods.set(name, IMMEDIATE.has(name) ? call : (...args: unknown[]) => pass(() => call(...args)))
      }
      return methods.get(name)
    },
  })
}
