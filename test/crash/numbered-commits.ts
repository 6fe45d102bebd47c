import type { StorageChange, StoredEpisode } from 'agidb'

/** Episodes of a commit. */
export const COMMIT = 24

/** The commit with a number: each third is of 2.4 MB, each ninth of 7 MB. */
export function commitOf(index: number): StorageChange[] {
  const bytes = index % 9 === 8 ? 290_000 : index % 3 === 2 ? 100_000 : 500
  return Array.from({ length: COMMIT }, (_, i) => {
    const slot = index * COMMIT + i
    return { op: 'put', slot, id: `ep_${slot}`, row: new Uint8Array(bytes).fill(slot % 251), signatures: {} }
  })
}

/** Counts the commits that are there as a whole, and the episodes that are not what was written. */
export function visited() {
  const slots = new Set<number>()
  let wrong = 0
  return {
    visit({ slot, id, row }: StoredEpisode): void {
      const expected = commitOf(Math.floor(slot / COMMIT))[slot % COMMIT] as { readonly row: Uint8Array }
      if (id !== `ep_${slot}` || row.length !== expected.row.length || row.some((byte) => byte !== slot % 251)) wrong++
      slots.add(slot)
    },
    count: () => ({ commits: Math.floor(slots.size / COMMIT), rest: slots.size % COMMIT, wrong }),
  }
}
