import { Window } from 'happy-dom'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { forgetting, toForget } from '../../../../demo/chat/forget.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'

const BAWRI = 'Sarah recommended Bawri, a thai place in Bandra.'
const DENTIST = 'The dentist moved to Hill Road.'

let window: Window
let db: Agidb
let forgotten: string[]
let errors: unknown[]
beforeEach(async () => {
  window = new Window({ url: 'https://app.example/' })
  for (const name of ['document', 'Node', 'HTMLElement'] as const) vi.stubGlobal(name, window[name])
  db = await Agidb.open({ storage: 'memory', codebook: 'none', extract: 'none', autoConsolidate: false })
  forgotten = []
  errors = []
})
afterEach(async () => {
  await db.close()
  vi.unstubAllGlobals()
  await window.happyDOM.close()
  expect(errors).toEqual([])
})

const offer = (about: string) =>
  forgetting(
    db,
    about,
    (ids) => forgotten.push(...ids),
    (error) => errors.push(error),
  )
const press = (place: HTMLElement, label: string) =>
  [...place.querySelectorAll('button')].find(({ textContent }) => textContent === label)!.click()
const status = (place: HTMLElement) => place.querySelector('[role=status]')?.textContent ?? ''

test.each([
  ['forget that Sarah recommended Bawri', 'Sarah recommended Bawri'],
  ['Please forget about the dentist.', 'the dentist'],
  ['forget everything about Tom!', 'Tom'],
  ['Forget what the doctor said', 'the doctor said'],
])('%s is a request to forget', (message, about) => {
  expect(toForget(message)).toBe(about)
})

test.each([
  'Did I forget the milk?',
  'Never forget that',
  'Do not forget the dentist',
  'forget',
])('%s is no request to forget', (message) => {
  expect(toForget(message)).toBeUndefined()
})

describe('a request to forget', () => {
  test('changes nothing before the button is pressed, and says what would go along', async () => {
    const id = await db.observe(BAWRI, { speaker: 'Tom' })
    await db.assertBelief({ claim: 'Bawri is a thai place', confidence: 0.9, evidence: [id] })
    const place = await offer('Bawri')
    expect(place.textContent).toContain(`Tom: ${BAWRI}`)
    expect(status(place)).toMatch(/^To be forgotten: 1 memory, 1 belief/)
    expect(await db.count()).toBe(1)
    expect(forgotten).toEqual([])
  })

  test('forgets what is ticked, with what rests on it, when the button is pressed', async () => {
    const id = await db.observe(BAWRI)
    const other = await db.observe(DENTIST)
    await db.assertBelief({ claim: 'Bawri is a thai place', confidence: 0.9, evidence: [id] })
    const place = await offer('the thai place in Bandra')
    press(place, 'Forget it')
    await vi.waitFor(() => expect(forgotten).toEqual([id]))
    expect(status(place)).toMatch(/^Forgotten: 1 memory, 1 belief.*For 30 days the panel Forget can restore it, or/)
    expect(await db.getEpisode(id)).toBeUndefined()
    expect(await db.getEpisode(other)).toMatchObject({ text: DENTIST })
    expect(await db.whatDoIBelieve('Bawri')).toEqual([])
    expect((await db.recall('thai place')).matches.map(({ text }) => text)).not.toContain(BAWRI)
  })

  test('keeps everything when it is taken back', async () => {
    const id = await db.observe(BAWRI)
    const place = await offer('Bawri')
    press(place, 'Keep it')
    expect(place.textContent).toBe('Nothing was forgotten.')
    expect(await db.getEpisode(id)).toMatchObject({ text: BAWRI })
  })

  test('forgets another memory where that is ticked instead', async () => {
    const first = await db.observe('Bawri is a thai place in Bandra.')
    const second = await db.observe('Bawri is closed on Mondays.')
    const place = await offer('Bawri is a thai place in Bandra')
    const boxes = [...place.querySelectorAll<HTMLInputElement>('input[type=checkbox]')]
    expect(boxes.map(({ checked }) => checked)).toEqual([true, false])
    for (const box of boxes) {
      box.checked = !box.checked
      box.dispatchEvent(new window.Event('change') as unknown as Event)
    }
    await vi.waitFor(() => expect(place.querySelector<HTMLButtonElement>('button.danger')!.disabled).toBe(false))
    press(place, 'Forget it')
    await vi.waitFor(() => expect(forgotten).toEqual([second]))
    expect(await db.getEpisode(first)).toBeDefined()
  })

  test('cannot be pressed where nothing is ticked', async () => {
    await db.observe(BAWRI)
    const place = await offer('Bawri')
    const box = place.querySelector<HTMLInputElement>('input[type=checkbox]')!
    box.checked = false
    box.dispatchEvent(new window.Event('change') as unknown as Event)
    await vi.waitFor(() => expect(status(place)).toBe('Nothing is ticked.'))
    expect(place.querySelector<HTMLButtonElement>('button.danger')!.disabled).toBe(true)
    press(place, 'Forget it')
    expect(await db.count()).toBe(1)
  })

  test('says so where there is nothing', async () => {
    expect((await offer('Bawri')).textContent).toBe('There is nothing to forget.')
  })
})
