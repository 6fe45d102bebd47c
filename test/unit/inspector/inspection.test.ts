import { Window } from 'happy-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ask } from '../../../src/inspector/dom/dialog.js'
import { Inspection } from '../../../src/inspector/inspection.js'
import { Agidb } from '../../../src/runtimes/node/index.js'

let window: Window
let db: Agidb
let root: ShadowRoot
let inspection: Inspection | undefined
beforeEach(async () => {
  window = new Window({ url: 'https://app.example/' })
  for (const name of ['document', 'HTMLElement', 'ResizeObserver'] as const) vi.stubGlobal(name, window[name])
  db = await Agidb.open({ storage: 'memory', codebook: 'none', extract: 'none' })
  root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })
})
afterEach(async () => {
  inspection?.end()
  await db.close()
  vi.unstubAllGlobals()
  await window.happyDOM.close()
})

/** Inspects the memory, with other methods in the place of some of its own. */
function inspect(others: Partial<Agidb> = {}): void {
  const given = Object.create(db, Object.getOwnPropertyDescriptors(others)) as Agidb
  inspection = new Inspection({ root, db: given, name: 'test', isReadOnly: false })
  inspection.begin()
}

const told = () => root.querySelector('.told')?.textContent

const choose = (tab: number) => root.querySelectorAll<HTMLElement>('[role=tab]')[tab]!.click()

test('a view that could not be shown is shown when it is chosen again', async () => {
  await db.observe('One.')
  let failures = 1
  inspect({ stats: () => (failures-- > 0 ? Promise.reject(new RangeError('not now')) : db.stats()) })
  await expect.poll(() => root.querySelector('.wrong')?.textContent).toContain('Not now')
  for (const tab of [1, 0]) choose(tab)
  await expect.poll(told).toBe('1 memory, the newest first.')
})

test('a dialog that is cancelled while it acts says whether it was done, and acts once', async () => {
  let acted = 0
  let finish!: () => void
  const act = () => {
    acted++
    return new Promise<void>((resolve) => (finish = resolve))
  }
  const dialog = ask(root, { title: 'Forget', yes: 'Forget', body: [], act })
  const submit = root.querySelector<HTMLButtonElement>('[data-key=yes]')!
  const press = () => root.querySelector('form')!.dispatchEvent(new window.Event('submit') as unknown as Event)
  press()
  dialog.ready(true)
  press()
  expect([submit.disabled, acted]).toEqual([true, 1])
  root.querySelector<HTMLElement>('[data-key=cancel]')!.click()
  expect(root.querySelector('dialog')).toBeNull()
  finish()
  expect(await dialog.done).toBe(true)
})
