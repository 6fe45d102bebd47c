import type { Agidb } from '../../api/agidb.js'
import type { EpisodesOptions, Episode } from '../../api/episode.js'
import type { EpisodesPage } from '../../api/caller.js'
import { METHODS, type Method } from '../../api/registry.js'
import type { ExportSource, ImportOptions } from '../../api/portable.js'
import { toSend, toStream } from './portable.js'
import { Tab, type TabOptions } from './tab.js'

/** A database that several tabs share, as one of them sees it. */
export interface SharedDatabase extends Agidb, Pick<Tab, 'rest' | 'wake'> {}

/**
 * Opens a database that other tabs may have open, too; see {@link Tab}.
 *
 * @throws AgidbError what `options.open` throws, if this tab is to be the owner
 */
export async function share(options: TabOptions): Promise<SharedDatabase> {
  const tab = new Tab(options)
  await tab.open()
  const database: Partial<Record<keyof SharedDatabase, unknown>> = {
    episodes: (options?: EpisodesOptions) => episodes(tab, options),
    export: async (...args: unknown[]) => toStream(await tab.call('export', args)),
    import: async (source: ExportSource, options?: ImportOptions) =>
      tab.call('import', [await toSend(source, options?.signal), options]),
    subscribe: tab.subscribe.bind(tab),
    close: tab.close.bind(tab),
    rest: tab.rest.bind(tab),
    wake: tab.wake.bind(tab),
  }
  for (const method of Object.keys(METHODS) as Method[])
    database[method] ??= (...args: unknown[]) => tab.call(method, args)
  return database as SharedDatabase
}

/** Page by page, each a call of its own: the owner may change between two. */
async function* episodes(tab: Tab, options?: EpisodesOptions): AsyncGenerator<Episode[], void, undefined> {
  for (let from: number | undefined; ; ) {
    const page = (await tab.call('page', [options, from])) as EpisodesPage | undefined
    if (page === undefined) return
    yield [...page.episodes]
    from = page.next
  }
}
