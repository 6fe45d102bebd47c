import type { Durability } from '../../src/api/stats.js'
import './storage.js'
import type { PageCase } from './page-case.js'

/** The cases of the storage contract, as `storage.spec.ts` has them, in a dedicated worker for each place. */
export async function contractCases(durability: Durability): Promise<PageCase[]> {
  const cases: PageCase[] = []
  for (const place of durability === 'strict' ? ['opfs', 'idb-only'] : ['idb-only']) {
    await window.startRig()
    const names = (await window.askRig('cases', [place])) as string[]
    window.endRig()
    if (names.length <= 10) throw new Error(`there are only ${names.length} cases for ${place}`)
    cases.push({
      name: `${place}: a worker starts`,
      run: async () => {
        window.endRig()
        await window.startRig()
      },
    })
    for (const name of names) {
      cases.push({
        name: `${place}: ${name}`,
        async run() {
          const outcome = (await window.askRig('runCase', [place, name])) as string
          if (outcome !== 'kept') throw new Error(outcome)
        },
      })
    }
  }
  return cases
}
