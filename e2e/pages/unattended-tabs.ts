import type { Durability } from '../../src/api/stats.js'
import { assert, assertEqual } from '../../src/storage/contract/assert.js'
import type {} from './library.js'
import { RemoteTab } from './remote-tab.js'
import type { PageCase } from './page-case.js'

/** A tab that has a database open, and keeps what it is told of changes. */
async function opened(name: string, sleepy = false): Promise<RemoteTab> {
  const tab = await RemoteTab.open()
  await tab.evaluate(
    async (name, sleepy) => {
      window.kept = {
        ...(await (sleepy ? window.library.openSleepy({ name }) : window.library.openWithWorker({ name }))),
        changes: [],
      }
      window.kept.db.subscribe(
        (change) => void (change.kind !== 'statementsFound' && window.kept.changes!.push(change)),
      )
    },
    name,
    sleepy,
  )
  return tab
}

const role = (tab: RemoteTab) => tab.evaluate(async () => (await window.kept.db.stats()).role)

async function becomes<T>(wanted: T, what: () => Promise<T>): Promise<void> {
  let found = await what()
  for (const until = performance.now() + 30_000; found !== wanted && performance.now() < until; found = await what())
    await new Promise((resolve) => setTimeout(resolve, 100))
  assertEqual(found, wanted, 'after a while')
}

/** Ends a tab, or its worker, in the midst of another one's call. */
function death(name: string, end: (owner: RemoteTab) => unknown): PageCase {
  return {
    name:
      `the owner ${name} in the midst of another tab's call: the call is answered, and what was observed is ` +
      'there once',
    async run() {
      const [one, two] = [await opened(name), await opened(name)]
      assertEqual([await role(one), await role(two)], ['owner', 'client'], 'roles')
      await two.evaluate(async () => {
        const items = window.library.observations(2_000, 'n').map(({ text }) => ({ text }))
        await new Promise<void>(
          (resolve) => (window.kept.call = window.kept.db.observeMany(items, { onProgress: () => resolve() })),
        )
      })
      await end(one)
      const { ids, found, changes, answeredMs } = await two.evaluate(async () => {
        const started = performance.now()
        const ids = (await window.kept.call) as string[]
        const answeredMs = performance.now() - started
        const found: string[] = []
        for await (const page of window.kept.db.episodes({ limit: 1_000 })) found.push(...page.map(({ id }) => id))
        return { ids, found, changes: window.kept.changes!.map(({ kind }) => kind), answeredMs }
      })
      assertEqual([ids.length, found], [2_000, ids], 'episodes')
      assert(changes.includes('ownerChanged'), 'it is told of the change')
      assertEqual(await role(two), 'owner', 'role')
      two.close()
      return `answered ${Math.round(answeredMs)} ms after the owner had gone`
    },
  }
}

/** Several tabs with one database. */
export const tabCases = async (wanted: Durability): Promise<PageCase[]> => [
  {
    name: 'two tabs have the same memory: each sees what the other learned, and is told of it',
    async run() {
      const [one, two] = [await opened('two'), await opened('two')]
      assertEqual([await role(one), await role(two)], ['owner', 'client'], 'roles')
      const id = await two.evaluate(() => window.kept.db.observe('The valve was opened at noon.'))
      assertEqual(
        await one.evaluate(async () => (await window.kept.db.recall('when was the valve opened?')).matches[0].id),
        id,
        'the best match',
      )
      for (const tab of [one, two]) await becomes(1, () => tab.evaluate(() => window.kept.changes!.length))
      one.close()
      await becomes('owner', () => role(two))
      two.close()
    },
  },
  death('closes', (owner) => owner.close()),
  death('loses its worker', (owner) => owner.evaluate(() => window.kept.worker!.terminate())),
  death('is loaded again', (owner) => owner.reload()),
  {
    name: 'a tab that is loaded again while it writes has lost nothing that was acknowledged',
    async run() {
      const tab = await opened('reload')
      const acknowledged: string[] = []
      const channel = new BroadcastChannel('acknowledged')
      channel.onmessage = ({ data }) => void acknowledged.push(data as string)
      for (let round = 0; round < 5; round++) {
        const before = acknowledged.length
        await tab.evaluate((round) => {
          const channel = new BroadcastChannel('acknowledged')
          const write = async (): Promise<never> => {
            for (let i = 0; ; i++) channel.postMessage(await window.kept.db.observe(`Reading ${i} of round ${round}.`))
          }
          void write()
        }, round)
        await becomes(true, async () => acknowledged.length > before + 30)
        await tab.reload()
        const found = await tab.evaluate(async () => {
          window.kept = await window.library.openWithWorker({ name: 'reload' })
          const found: string[] = []
          for await (const page of window.kept.db.episodes({ limit: 1_000 })) found.push(...page.map(({ id }) => id))
          return found
        })
        const there = new Set(found)
        assertEqual(
          acknowledged.filter((id) => !there.has(id)),
          [],
          `lost in round ${round}`,
        )
      }
      channel.close()
      tab.close()
      return `${acknowledged.length} acknowledged`
    },
  },
  {
    name:
      'an owner that gives no sign of life is deposed, lets go when it wakes, and the call that waited takes ' +
      'effect once',
    async run() {
      const [one, two] = [await opened('sleepy', true), await opened('sleepy')]
      await two.evaluate(async () => {
        await window.kept.db.observe('before')
        new BroadcastChannel('sleep').postMessage(7_500)
        await new Promise((resolve) => setTimeout(resolve, 100))
        await window.kept.db.observe('while it slept')
      })
      assertEqual(await role(two), 'owner', 'role of the tab that waited')
      assertEqual(await one.evaluate(async () => (await window.kept.db.stats()).episodes), 2, 'episodes')
      assertEqual(await role(one), 'client', 'role of the tab that slept')
      one.close()
      two.close()
    },
  },
  {
    name: 'a dedicated worker has a database of its own; a shared worker has one, or is told that it cannot',
    async run() {
      const came = (kind: string) => {
        const channel = new BroadcastChannel(`user-${kind}`)
        return new Promise<string>((resolve) => {
          const ask = setInterval(() => channel.postMessage('use'), 300)
          channel.onmessage = ({ data }) => {
            clearInterval(ask)
            channel.close()
            resolve(data as string)
          }
        })
      }
      const dedicated = new Worker(window.library.userWorker('dedicated'), { type: 'module' })
      assertEqual(await came('dedicated'), `owner ${wanted} 1`, 'in a dedicated worker')
      dedicated.terminate()
      const shared = new SharedWorker(window.library.userWorker('shared'), { type: 'module' })
      const words = await came('shared')
      shared.port.close()
      assert(words === `owner ${wanted} 2` || words.startsWith('AGIDB_UNSUPPORTED'), words)
      return `in a shared worker: ${words}`
    },
  },
]
