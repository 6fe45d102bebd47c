import { invalid } from '../../../api/check.js'
import { AgidbError } from '../../../base/errors.js'
import { failure, rowsOf, type PostgresDriver } from './driver.js'
import { CHANNEL } from './statements.js'

/**
 * What hears of commits: a client of `pg` that is in no transaction, a PGlite, or any object with this method.
 * postgres.js: `{ query, listen: async (channel, heard) => (await sql.listen(channel, heard)).unlisten }`.
 */
export interface PostgresListening extends PostgresDriver {
  /** Calls back for each notification on a channel, until what it resolves to is called. */
  listen(channel: string, heard: (payload: string) => void): PromiseLike<() => unknown>
}

/** A client of `pg`: it tells of notifications by events. */
interface EmittingClient extends PostgresDriver {
  on(event: 'notification', heard: (told: { readonly channel: string }) => void): unknown
  removeListener(event: 'notification', heard: (told: { readonly channel: string }) => void): unknown
}

/** A connection that can hear of commits. */
export type PostgresListener = PostgresListening | EmittingClient

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` where it cannot hear of anything. */
export function checkListener(listener: PostgresListener): void {
  const { query, listen, on } = (listener ?? {}) as Partial<Record<'query' | 'listen' | 'on', unknown>>
  if (typeof query !== 'function' || (typeof listen !== 'function' && typeof on !== 'function'))
    throw invalid('listener must be a client of pg, a PGlite, or have the methods query and listen', {
      option: 'listener',
    })
}

/** The commits of a memory while it is open: those that came before anybody asked are told, too. */
export class Commits {
  #missed = false
  #told: () => void = () => (this.#missed = true)
  #end = async (): Promise<void> => {}

  /** @throws AgidbError as {@link hearCommits}. */
  static async of(listener: PostgresListener, namespace: string): Promise<Commits> {
    const commits = new Commits()
    commits.#end = await hearCommits(listener, namespace, () => commits.#told())
    return commits
  }

  /** Calls back after each, from now on. */
  tell(told: () => void): void {
    this.#told = told
    if (this.#missed) told()
  }

  async end(): Promise<void> {
    this.#told = () => {}
    await this.#end()
  }
}

/**
 * Calls back after each commit of a memory, until what it resolves to is called.
 *
 * @throws AgidbError `AGIDB_NOT_FOUND` where the tables of agidb are not there; `AGIDB_STORAGE`
 */
async function hearCommits(
  listener: PostgresListener,
  namespace: string,
  told: () => void,
): Promise<() => Promise<void>> {
  const [{ channel }] = await rowsOf(listener, `select ${CHANNEL} as channel`, namespace)
  if (typeof channel !== 'string')
    throw new AgidbError('AGIDB_NOT_FOUND', 'there are no tables of agidb, so nothing can be heard of commits')
  if ('listen' in listener && typeof listener.listen === 'function') {
    try {
      const end = await listener.listen(channel, told)
      return async () => void (await end())
    } catch (cause) {
      throw failure(cause)
    }
  }
  return hearEvents(listener as EmittingClient, channel, told)
}

/** Who hears of each channel by a client. Several memories may share one, and `unlisten` ends it for all of them. */
const hearing = new WeakMap<EmittingClient, Map<string, Set<unknown>>>()

async function hearEvents(client: EmittingClient, channel: string, told: () => void): Promise<() => Promise<void>> {
  const heard = (notification: { readonly channel: string }): void => {
    if (notification.channel === channel) told()
  }
  const channels = hearing.get(client) ?? new Map<string, Set<unknown>>()
  hearing.set(client, channels)
  const all = channels.get(channel) ?? new Set()
  channels.set(channel, all.add(heard))
  client.on('notification', heard)
  const leave = (): boolean => {
    client.removeListener('notification', heard)
    const isLast = all.delete(heard) && all.size === 0
    if (isLast) channels.delete(channel)
    return isLast
  }
  try {
    await rowsOf(client, `listen ${channel}`)
  } catch (error) {
    leave()
    throw error
  }
  return async () => {
    if (leave()) await rowsOf(client, `unlisten ${channel}`)
  }
}
