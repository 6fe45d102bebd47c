import { expect, test } from 'vitest'
import { giveWay, type Recalls } from '../../../src/maintenance/give-way.js'

/** Recalls that begin and end when the test says so. */
class ToldRecalls implements Recalls {
  begun = 0
  ending: Promise<void> | undefined
  #end = (): void => {}

  begin(): void {
    this.begun++
    this.ending = new Promise((resolve) => (this.#end = resolve))
  }

  end(): void {
    this.ending = undefined
    this.#end()
  }
}

/** The work that makes way, and whether it went on. */
function working(recalls: Recalls): { readonly way: Promise<void>; readonly wentOn: () => boolean } {
  let on = false
  const way = giveWay(recalls).then(() => void (on = true))
  return { way, wentOn: () => on }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

test('work goes on where no recall is under way', async () => {
  const { way, wentOn } = working(new ToldRecalls())
  await way
  expect(wentOn()).toBe(true)
})

test('work waits for the recall that is under way, and goes on once it has ended', async () => {
  const recalls = new ToldRecalls()
  recalls.begin()
  const { way, wentOn } = working(recalls)
  await pause(1)
  expect(wentOn()).toBe(false)
  recalls.end()
  await Promise.resolve()
  expect(wentOn()).toBe(false)
  await way
})

test('work does not wait for ever for a recall that does not end, nor for recalls without a pause', async () => {
  const stuck = new ToldRecalls()
  stuck.begin()
  await giveWay(stuck)
  expect(stuck.ending).toBeDefined()

  const busy = new ToldRecalls()
  busy.begin()
  const { way, wentOn } = working(busy)
  while (!wentOn()) {
    busy.end()
    busy.begin()
    await pause(1)
  }
  await way
  expect(busy.begun).toBeGreaterThan(2)
})
