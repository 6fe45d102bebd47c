import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AgidbError } from '../../../../src/base/errors.js'
import { listed } from '../../../unit/engine/open.js'
import { runs } from '../../../runs.js'
import { Disk } from '../../../unit/rpc/tabs/disk.js'
import { Origin } from '../../../unit/rpc/tabs/origin.js'
import { openTab, type TestTab } from '../../../unit/rpc/tabs/tab.js'

/**
 * What happens: a tab writes in one of several ways, closes or dies, or comes; or the owner dies at its next commit.
 */
type Step =
  | { readonly kind: 'observe' | 'observeWithId' | 'setGoal' | 'close' | 'die'; readonly tab: number }
  | { readonly kind: 'observeMany'; readonly tab: number; readonly count: number }
  | { readonly kind: 'dieBefore' | 'dieAfter'; readonly commits: number }
  | { readonly kind: 'open' }
  | { readonly kind: 'settle' }

const TABS = 4
const tab = fc.nat({ max: TABS - 1 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ kind: fc.constantFrom('observe', 'observeWithId', 'setGoal'), tab }) as fc.Arbitrary<Step>,
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('observeMany'),
        tab,
        count: fc.integer({ min: 1, max: 600 }),
      }) as fc.Arbitrary<Step>,
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('close', 'die'), tab }) as fc.Arbitrary<Step> },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('dieBefore', 'dieAfter'),
        commits: fc.integer({ min: 1, max: 3 }),
      }) as fc.Arbitrary<Step>,
    },
    { weight: 2, arbitrary: fc.constant<Step>({ kind: 'open' }) },
    { weight: 2, arbitrary: fc.constant<Step>({ kind: 'settle' }) },
  ),
  { minLength: 5, maxLength: 40 },
)

test('whichever tab dies when, acknowledged writes exist once and others at most once', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const [origin, disk] = [new Origin(), new Disk()]
      const tabs: (TestTab | undefined)[] = Array.from({ length: TABS }, () => undefined)
      const acknowledged = new Map<string, string>()
      const asked = new Set<string>()
      const goals = { asked: new Set<string>(), acknowledged: new Set<string>() }
      const refused: unknown[] = []
      const running = new Set<Promise<unknown>>()
      let texts = 0
      const text = () => {
        asked.add(`text ${texts}`)
        return `text ${texts++}`
      }
      /** A call of a tab that dies is never answered. */
      const track = (of: TestTab, call: Promise<unknown>, done: (answer: never) => void) => {
        const settled = call.then(done as (answer: unknown) => void, (error: unknown) => {
          if (!(error instanceof AgidbError && error.code === 'AGIDB_CLOSED')) refused.push(error)
        })
        const over = Promise.race([settled, new Promise<void>((resolve) => of.place.onDeath(resolve))])
        running.add(over)
        void over.finally(() => running.delete(over))
      }
      const open = async () => {
        const free = tabs.findIndex((tab) => tab === undefined || tab.place.isDead)
        if (free < 0) return
        // It may be the one that dies, too, and then it never opens.
        const opening = openTab(origin, disk)
        tabs[free] = await Promise.race([
          opening,
          new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 3000)),
        ])
      }
      await open()
      await open()
      for (const step of history) {
        const of = 'tab' in step ? tabs[step.tab] : undefined
        if (step.kind === 'open') await open()
        else if (step.kind === 'settle') await Promise.all(running)
        else if (step.kind === 'dieBefore' || step.kind === 'dieAfter')
          disk.dieIn(step.commits, step.kind === 'dieBefore' ? 'before' : 'after')
        else if (of === undefined || of.place.isDead) continue
        else if (step.kind === 'die') of.place.die()
        else if (step.kind === 'close') {
          tabs[step.tab] = undefined
          await Promise.race([of.db.close(), new Promise<void>((resolve) => of.place.onDeath(resolve))])
        } else if (step.kind === 'observeMany') {
          const items = Array.from({ length: step.count }, () => ({ text: text() }))
          track(of, of.db.observeMany(items), (ids: string[]) =>
            ids.forEach((id, i) => acknowledged.set(id, items[i].text)),
          )
        } else if (step.kind === 'setGoal') {
          const description = `goal ${texts++}`
          goals.asked.add(description)
          track(of, of.db.setGoal({ description }), () => goals.acknowledged.add(description))
        } else {
          const said = text()
          const context = step.kind === 'observeWithId' ? { id: `id of ${said}` } : {}
          track(of, of.db.observe(said, context), (id: string) => acknowledged.set(id, said))
        }
      }
      disk.dieIn(0, 'before')
      await Promise.all(running)
      expect(refused).toEqual([])

      const last = tabs.find((tab) => tab !== undefined && !tab.place.isDead) ?? (await openTab(origin, disk))
      const found = new Map((await listed(last.db)).map(({ id, text }) => [id, text]))
      expect([...found.values()].sort()).toEqual([...new Set(found.values())].sort())
      for (const said of found.values()) expect(asked).toContain(said)
      for (const [id, said] of acknowledged) expect(found.get(id)).toBe(said)
      const set = (await last.db.activeGoals()).map(({ description }) => description)
      expect(new Set(set).size).toBe(set.length)
      for (const goal of goals.acknowledged) expect(set).toContain(goal)
      for (const tab of tabs) if (tab !== undefined && !tab.place.isDead) await tab.db.close()
    }),
    { numRuns: runs(30), interruptAfterTimeLimit: 50_000 },
  )
})
