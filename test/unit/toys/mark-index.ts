import { loadStrings, part, saveStrings, type CheckpointParts } from '../../../src/base/checkpoint-parts.js'
import type { Index, IndexContents } from '../../../src/indexes/port.js'

/** A toy index: which memories have which marks (※, ‽, §), which no tokenizer takes for words. */
export function markIndex(): Index<IndexContents> {
  const bySlot = new Map<number, string>()
  const add = (slot: number, text: string) => {
    const marks = marksOf(text)
    if (marks.length > 0) bySlot.set(slot, marks.join(''))
  }
  return {
    contents: {
      get bytes() {
        return 100 * bySlot.size
      },
      save(parts: CheckpointParts, name: string) {
        parts.set(`${name}.slots`, Uint32Array.from(bySlot.keys()))
        saveStrings(parts, `${name}.marks`, [...bySlot.values()])
      },
      load(parts: CheckpointParts, name: string) {
        const slots = part(parts, `${name}.slots`, Uint32Array)
        loadStrings(parts, `${name}.marks`).forEach((marks, i) => bySlot.set(slots[i], marks))
      },
    },
    add: (slot, { text }) => add(slot, text),
    update(slot, { text }) {
      bySlot.delete(slot)
      add(slot, text)
    },
    remove: (slot) => void bySlot.delete(slot),
    *candidates({ question }) {
      const asked = marksOf(question)
      for (const [slot, marks] of bySlot) if (asked.some((one) => marks.includes(one))) yield slot
    },
  }
}

function marksOf(text: string): string[] {
  return text.match(/[※‽§]/gu) ?? []
}
