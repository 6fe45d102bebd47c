import { expect, onTestFinished, test, vi } from 'vitest'
import { altered } from '../../storage/altered-adapter.js'
import { Disk } from './disk.js'
import { Origin } from './origin.js'
import { openTab } from './tab.js'

/** A disk that is let go of with an error. */
class FailingDisk extends Disk {
  override storage(...args: Parameters<Disk['storage']>) {
    return altered(super.storage(...args), ({ close }) => ({
      async close() {
        await close()
        throw new Error('the files were not closed')
      },
    }))
  }
}

test('an owner that was asleep and cannot close its files leaves no rejection, and takes part again', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  onTestFinished(() => void process.off('unhandledRejection', unhandled))
  const [origin, disk] = [new Origin(), new FailingDisk()]
  const one = await openTab(origin, disk)
  const two = await openTab(origin, disk)
  one.place.sleep()
  const observed = two.db.observe('while it sleeps')
  disk.refused = () => one.place.wake()
  await observed
  expect((await two.db.stats()).role).toBe('owner')
  two.place.die()
  expect(await one.db.stats()).toMatchObject({ role: 'owner', episodes: 1 })
  one.place.die()
  expect(unhandled).not.toHaveBeenCalled()
})
