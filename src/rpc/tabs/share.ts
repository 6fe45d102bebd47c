import type { Agidb } from '../../api/agidb.js'
import type { EpisodesPage } from '../../api/caller.js'
import type { EpisodesOptions } from '../../api/episode-pages.js'
import { putMethod } from '../../api/method-path.js'
import type { MethodSpec } from '../../api/methods/method.js'
import type { ExportSource } from '../../api/portable.js'
import { METHODS, type Method } from '../../api/registry.js'
import { readSource, toStream } from '../codec/blobs.js'
import { takeLocalOptions } from '../codec/local-options.js'
import { Tab, type TabOptions } from './tab.js'

/** A database that several tabs share, as one of them sees it. */
export interface SharedDatabase extends Agidb, Pick<Tab, 'pause' | 'resume'> {}

/**
 * Opens a database that other tabs may have open, too; see {@link Tab}.
 *
 * @throws AgidbError what `options.open` throws, if this tab is to be the owner
 */
export async function share(options: TabOptions): Promise<SharedDatabase> {
  const tab = new Tab(options)
  await tab.open()
  const database: Record<string, unknown> = {
    subscribe: tab.subscribe.bind(tab),
    close: tab.close.bind(tab),
    pause: tab.pause.bind(tab),
    resume: tab.resume.bind(tab),
  }
  for (const [method, spec] of Object.entries(options.methods ?? METHODS))
    if (database[method] === undefined) putMethod(database, method, callOf(tab, method as Method, spec))
  return database as unknown as SharedDatabase
}

/** How a method is called in the tab that owns the database, by what its registration says. */
function callOf(tab: Tab, method: Method, spec: MethodSpec): (...args: unknown[]) => unknown {
  if (spec.output === 'pages') return (options) => pages(tab, options as EpisodesOptions | undefined)
  if (spec.output === 'bytes') return async (...args) => toStream(await tab.call(method, args))
  if (spec.input !== 'bytes') return (...args) => tab.call(method, args)
  return async (source, ...rest) => {
    const [, { signal }] = takeLocalOptions(spec, [source, ...rest])
    return tab.call(method, [await readSource(source as ExportSource, signal), ...rest])
  }
}

/** Page by page, each a call of its own: the owner may change between two. */
async function* pages(tab: Tab, options?: EpisodesOptions): AsyncGenerator<unknown[], void, undefined> {
  for (let from: number | undefined; ; ) {
    const page = (await tab.call('page', [options, from])) as EpisodesPage | undefined
    if (page === undefined) return
    yield [...page.episodes]
    from = page.next
  }
}
