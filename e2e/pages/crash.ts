import type { StorageEvent } from '../../src/core/agidb.js'
import { Agidb } from '../../src/browser.js'
import { observation, observations } from '../../test/crash/story.js'

declare global {
  interface Window {
    /** Given by the test: takes what was acknowledged out of the browser. */
    acknowledge(ids: string[]): Promise<void>
    /** Opens the database and answers all that is in it. */
    openAndRead(): Promise<{ found: { id: string; text: string }[]; opening: readonly StorageEvent[] }>
    /** Observes until the browser is killed. */
    write(run: number): Promise<never>
  }
}

let db: Agidb

window.openAndRead = async () => {
  db = await Agidb.open({ name: 'crash' })
  const found: { id: string; text: string }[] = []
  for await (const page of db.episodes({ limit: 1000 })) found.push(...page.map(({ id, text }) => ({ id, text })))
  return { found, opening: (await db.stats()).opening }
}

window.write = async (run) => {
  for (let index = 0; ; ) {
    const batch = index % 7 === 0 ? 40 : 1
    if (batch === 1) {
      const { text, ...context } = observation(run, index)
      void window.acknowledge([await db.observe(text, context)])
    } else void window.acknowledge(await db.observeMany(observations(run, index, batch)))
    index += batch
  }
}
