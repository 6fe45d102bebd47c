import { AgidbError } from '../../src/core/errors.js'
import type { Outcome } from '../../src/core/outcome.js'
import { METHODS } from '../../src/core/methods.js'
import { Engine } from '../../src/engine/engine.js'
import { engineHost } from '../../src/threads/host.js'
import type { EngineHost } from '../../src/threads/protocol.js'
import { openMemory } from '../engine/open.js'
import type { Random } from './mutate.js'
import type { Target } from './target.js'

/** Names of methods, right and wrong, and those that an engine has besides. */
const NAMES = [...Object.keys(METHODS), ...Object.getOwnPropertyNames(Engine.prototype), '__proto__', 'constructor', 'toString', 'then', '', 'nothing'].filter((name) => name !== 'close')
const KEYS = ['text', 'id', 'k', 'cue', 'limit', 'after', 'at', 'signal', 'onProgress', 'replace', 'format', 'passphrase', 'claim', 'evidence', 'description', 'steps', 'name', 'trigger', 'modality', 'latent', 'encoder', '__proto__', 'constructor']

let db: Engine | undefined
let host: EngineHost | undefined

/** What a page may send that is not ours, or was changed on its way: it is answered by a code, and does no harm. */
export const messages: Target = {
  name: 'messages',
  async run(from) {
    if (db === undefined) await begin()
    const outcome = await send(from)
    if (outcome !== undefined && !outcome.ok) throw new AgidbError(outcome.error.code, outcome.error.message, outcome.error.details)
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

async function send(from: Random): Promise<Outcome<unknown> | undefined> {
  const number = (): never => (from.below(3) === 0 ? value(from, 1) : from.below(200)) as never
  const any = (depth = 2): never => value(from, depth) as never
  const args = (): unknown => (from.below(10) === 0 ? any() : Array.from({ length: from.below(4) }, () => any()))
  switch (from.below(12)) {
    case 0:
      return host!.hand(number(), any())
    case 1:
      return host!.firstPage(number(), any())
    case 2:
      return host!.nextPage(number())
    case 3:
      return void (await host!.endPages(number()))
    case 4:
      return host!.beginExport(number(), any())
    case 5:
      return host!.nextBytes(number())
    case 6:
      return void (await host!.endExport(number()))
    case 7:
      // A feed that nobody reads is not waited for by anybody either.
      return Promise.race([host!.feed(number(), any(), from.below(2) === 0 ? undefined : any()), Promise.resolve(undefined)])
    case 8:
      return void (await host!.abort(number()))
    case 9:
      return host!.open(any())
    default: {
      const method = from.pick(NAMES) as never
      const given = args()
      // An import with a feed of its own waits for the page.
      if (method === 'import' && Array.isArray(given) && typeof given[0] === 'number') return undefined
      return host!.invoke(number(), method, given as never, from.below(5) === 0 ? any() : undefined)
    }
  }
}

/** Whatever can be cloned. */
function value(from: Random, depth: number): unknown {
  const leaf = from.below(depth === 0 ? 12 : 15)
  switch (leaf) {
    case 0: return undefined
    case 1: return null
    case 2: return from.pick([true, false])
    case 3: return from.pick([0, -1, 0.5, 1, 10, 1e9, 2 ** 53, NaN, Infinity, -0])
    case 4: return from.pick(['', ' ', 'first', 'text', 'It is said.', '\ud800', '<img src=x onerror=alert(1)>', 'x'.repeat(5000), 'all', 'jsonl'])
    case 5: return new Date(from.pick([0, NaN, 8.64e15]))
    case 6: return new Uint8Array(from.below(40))
    case 7: return Float32Array.of(1, NaN, 2).subarray(0, from.below(4))
    case 8: return 10n
    case 9: return new Map([['a', 1]])
    case 10: return /x/
    case 11: return new Error('x')
    case 12: return Array.from({ length: from.below(4) }, () => value(from, depth - 1))
    default: {
      const object: Record<string, unknown> = {}
      for (let i = from.below(4); i > 0; i--) Object.defineProperty(object, from.pick(KEYS), { value: value(from, depth - 1), enumerable: true, configurable: true, writable: true })
      return object
    }
  }
}
