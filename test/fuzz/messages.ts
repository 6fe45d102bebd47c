import { AgidbError } from '../../src/base/errors.js'
import type { Outcome } from '../../src/base/outcome.js'
import { METHODS } from '../../src/api/registry.js'
import { Engine } from '../../src/engine/engine.js'
import { engineHost } from '../../src/rpc/worker/host.js'
import type { EngineHost } from '../../src/rpc/worker/protocol.js'
import { openMemory } from '../unit/engine/open.js'
import { call, value } from './calls.js'
import type { Random } from './mutate.js'
import type { Probe, Target } from './target.js'

/** Names of methods, right and wrong, and those that an engine has besides. */
const NAMES = [
  ...Object.keys(METHODS),
  ...Object.getOwnPropertyNames(Engine.prototype),
  '__proto__',
  'constructor',
  'toString',
  'then',
  '',
  'nothing',
].filter((name) => name !== 'close')

let db: Engine | undefined
let host: EngineHost | undefined

/** What a page may send that is not ours, or was changed on its way: it is answered by a code, and does no harm. */
export const messages: Target = {
  name: 'messages',
  stages: { 'a method': 0.3, answered: 0.1 },
  async run(from, probe) {
    if (db === undefined) await begin()
    const outcome = await send(from, probe)
    if (outcome?.ok) probe.reached('answered')
    else if (outcome !== undefined)
      throw new AgidbError(outcome.error.code, outcome.error.message, outcome.error.details)
    if (from.below(50) === 0) {
      const { episodes } = await db!.stats()
      if (!(episodes >= 0)) throw new Error('the engine does not answer any more')
      if ((await db!.getEpisode('first'))?.text !== 'It was said first.') throw new Error('what was there is gone')
      if (episodes > 300 || db!.databaseId === '') await this.end!()
    }
  },
  async end() {
    const before = db
    db = host = undefined
    await before?.close()
  },
}

async function begin(): Promise<void> {
  db = await openMemory()
  host = engineHost(async () => db!)
  await host.open({})
  await db.observe('It was said first.', { id: 'first' })
}

async function send(from: Random, probe: Probe): Promise<Outcome<unknown> | undefined> {
  const number = (): never => (from.below(3) === 0 ? value(from, 1) : from.below(200)) as never
  const any = (depth = 2): never => value(from, depth) as never
  const args = (): unknown => (from.below(10) === 0 ? any() : Array.from({ length: from.below(4) }, () => any()))
  switch (from.below(20)) {
    case 0:
      return host!.sendItems(number(), any())
    case 1:
      return host!.openPages(
        number(),
        from.below(3) === 0 ? (any() as string) : 'episodes',
        from.below(3) === 0 ? any() : [any()],
      )
    case 2:
      return host!.nextPage(number())
    case 3:
      return void (await host!.closePages(number()))
    case 4:
      return host!.openBytes(
        number(),
        from.below(3) === 0 ? (any() as string) : 'export',
        from.below(3) === 0 ? any() : [any()],
      )
    case 5:
      return host!.nextBytes(number())
    case 6:
      return void (await host!.closeBytes(number()))
    case 7:
      // A feed that nobody reads is not waited for by anybody either.
      return Promise.race([
        host!.sendBytes(number(), any(), from.below(2) === 0 ? undefined : any()),
        Promise.resolve(undefined),
      ])
    case 8:
      return void (await host!.abort(number()))
    case 9:
      return host!.open(any())
    case 10:
    case 11: {
      const method = from.pick(NAMES) as never
      const given = args()
      // An import with a feed of its own waits for the page.
      if (method === 'import' && Array.isArray(given) && typeof given[0] === 'number') return undefined
      return host!.invoke(number(), method, given as never, from.below(5) === 0 ? any() : undefined)
    }
    default: {
      probe.reached('a method')
      const { method, args } = call(from)
      return host!.invoke(number(), method, args)
    }
  }
}
