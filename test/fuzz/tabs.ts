import type { Engine } from '../../src/engine/engine.js'
import { AgidbError } from '../../src/base/errors.js'
import { fromClientIn } from '../../src/rpc/tabs/boundary.js'
import { Owner } from '../../src/rpc/tabs/owner.js'
import { type Channel, namesOf, type TabEnvironment } from '../../src/rpc/tabs/environment.js'
import type { FromOwner, Notice } from '../../src/rpc/tabs/protocol.js'
import { Tab } from '../../src/rpc/tabs/tab.js'
import { openMemory } from '../unit/engine/open.js'
import { call, changed, value } from './calls.js'
import type { Random } from './mutate.js'
import type { Target } from './target.js'

/** Channels whose messages the test delivers, and keeps. */
class Channels implements TabEnvironment {
  readonly heard: unknown[] = []
  readonly open = new Map<string, Channel>()
  /** Nobody gets the lock of the owner: there is one, elsewhere. */
  readonly locks: TabEnvironment['locks'] = {
    request: (name, { signal }, held) => {
      if (name.includes('/tab/')) return held({ name })
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))))
    },
  }

  channel = (name: string): Channel => {
    const channel: Channel = {
      onmessage: null,
      postMessage: (message) => void this.heard.push(structuredClone(message)),
      close: () => void this.open.delete(name),
    }
    this.open.set(name, channel)
    return channel
  }

  deliver(name: string, data: unknown): void {
    this.open.get(name)?.onmessage?.({ data })
  }
}

/** What nobody caught. */
const unhandled: unknown[] = []
const catches = (reason: unknown): void => void unhandled.push(reason)

function expectCaught(): void {
  const [reason] = unhandled.splice(0)
  if (reason !== undefined) throw new Error('nobody caught it', { cause: reason })
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

let db: Engine | undefined
let owner: Owner
let channels: Channels

/** What another tab sends to the owner, of this version or another: it is answered, or passed over. */
export const tabs: Target = {
  name: 'tabs',
  stages: { 'a call': 0.4, answered: 0.15 },
  async run(from, probe) {
    if (db === undefined) await begin()
    channels.heard.length = 0
    const message = question(from, probe.reached.bind(probe))
    channels.deliver('agidb:x/tab/other', structuredClone(message))
    const until = performance.now() + 2000
    const read = fromClientIn(message)
    const waits = read?.kind === 'call' && read.term === owner.term
    do await turn()
    while (waits && channels.heard.length === 0 && performance.now() < until)
    expectCaught()
    const answer = (channels.heard as FromOwner[]).find(({ kind }) => kind === 'answer')
    if (answer?.kind === 'answer' && answer.outcome.ok) probe.reached('answered')
    if (answer?.kind === 'answer' && !answer.outcome.ok) {
      const { code, message: text, details } = answer.outcome.error
      throw new AgidbError(code, text, details)
    }
    if (from.below(50) > 0) return
    if ((await db!.getEpisode('first'))?.text !== 'It was said first.') throw new Error('what was there is gone')
    if ((await db!.stats()).episodes > 300) await this.end!()
  },
  async end() {
    const before = db
    db = undefined
    owner?.close()
    await before?.close()
    process.off('unhandledRejection', catches)
  },
}

async function begin(): Promise<void> {
  db = await openMemory()
  await db.observe('It was said first.', { id: 'first' })
  channels = new Channels()
  const place = { ...channels, channel: channels.channel, locks: { request: () => new Promise<never>(() => {}) } }
  owner = new Owner({ place, names: namesOf('x'), post: () => {} })
  owner.begin(db, 'mine')
  owner.announced('other')
  process.on('unhandledRejection', catches)
}

let calls = 0

/** A question whose call is well as far as the owner can tell, and may be something else in one place. */
function question(from: Random, reached: (stage: string) => void): unknown {
  const well = {
    kind: 'call',
    term: owner.term,
    call: ++calls,
    ...call(from),
    inParts: false,
    progress: false,
    writer: 'other',
    readOnly: from.below(4) === 0,
    received: calls - 1,
  }
  const kind = from.below(10)
  if (kind < 5) {
    reached('a call')
    return well
  }
  if (kind < 7) return { ...(changed(well, from) as object), term: owner.term }
  if (kind === 7) return changed(well, from)
  const part = { kind: from.pick(['part', 'abort']), term: owner.term, call: calls, items: [{ text: 'One thing.' }] }
  return kind === 8 ? { ...(changed(part, from) as object), term: owner.term } : value(from, 2)
}

/** What comes to a tab on its channels, from an owner of this version or another: it passes over what is none. */
export const notices: Target = {
  name: 'notices',
  stages: { called: 0.9, answered: 0.9 },
  async run(from, probe) {
    const place = new Channels()
    const tab = new Tab({
      name: 'x',
      place,
      open: () => Promise.reject(new Error('it is not the owner')),
      writer: 'w',
      readOnly: false,
      pingMs: 60_000,
    })
    const own = [...place.open.keys()].find((name) => name.includes('/tab/'))!
    process.on('unhandledRejection', catches)
    try {
      tab.subscribe(() => {})
      const opened = tab.open()
      const garbage = (): void => place.deliver(from.pick([own, 'agidb:x/tabs']), structuredClone(message(from)))
      garbage()
      place.deliver(own, { kind: 'welcome', term: 't', open: true } satisfies FromOwner)
      await opened
      const asked = tab.call('recall', ['what was said?', { onProgress: () => {} }]).then(
        () => probe.reached('answered'),
        () => probe.reached('answered'),
      )
      for (let times = from.below(4); times > 0; times--) garbage()
      if (place.heard.some((said) => (said as Notice | { kind: 'call' }).kind === 'call')) probe.reached('called')
      if (from.below(2) === 0)
        place.deliver(own, { kind: 'answer', call: 1, outcome: { ok: true, value: 5 } } satisfies FromOwner)
      await turn()
      expectCaught()
      place.deliver(own, { kind: 'answer', call: 1, outcome: { ok: true, value: 5 } } satisfies FromOwner)
      await asked
      await tab.close()
    } finally {
      process.off('unhandledRejection', catches)
    }
  },
}

function message(from: Random): unknown {
  const change = { kind: 'episodeStored', ids: ['a'], slot: 1, writer: 'w', from: 'other' }
  const well = from.pick<unknown>([
    { kind: 'welcome', term: 'other', open: true },
    { kind: 'answer', call: 1, outcome: { ok: true, value: 5 } },
    { kind: 'answer', call: 1, outcome: { ok: false, error: { code: 'AGIDB_INTERNAL', message: '', details: {} } } },
    { kind: 'progress', call: 1, progress: { done: 1, total: 2 } },
    { kind: 'hello', from: 'other' },
    { kind: 'opening', term: 't1' },
    { kind: 'owner', term: 't2' },
    { kind: 'change', change },
  ])
  return from.below(4) === 0 ? value(from, 2) : changed(well, from)
}
