import { beforeEach, describe, expect, it } from 'vitest'
import type { Episode } from '../../../src/api/episode.js'
import type { MemoryContext } from '../../../src/memory/context.js'
import { ReadSlots } from '../../../src/memory/read-slots.js'

const breathe = async () => {}

describe('the slots that a table of texts has read', () => {
  /** The texts that are there, by slot. */
  let texts: Map<number, string>
  /** What the table holds. */
  let held: Map<number, string>
  /** The slots of each fetch. */
  let fetched: number[][]
  let fetching: (slots: readonly number[]) => Promise<void>
  let reading: ReadSlots

  beforeEach(() => {
    texts = new Map([
      [0, 'zero'],
      [1, ''],
      [2, 'two'],
    ])
    held = new Map()
    fetched = []
    fetching = async () => {}
    const catalog = {
      has: (slot: number) => texts.has(slot),
      slots: () => [...texts.keys()].sort((a, b) => a - b),
      slot: (id: string) => (texts.has(Number(id)) ? Number(id) : undefined),
    }
    const context = {
      indexes: { catalog },
      fetch: async (slots: readonly number[]) => {
        fetched.push([...slots])
        await fetching(slots)
        return slots.map((slot) => texts.has(slot) && ({ id: String(slot), text: texts.get(slot) } as Episode))
      },
    } as unknown as MemoryContext
    reading = new ReadSlots(context, {
      slots: () => held.keys(),
      tells: (slot) => texts.get(slot) !== '',
      add: (slot, { text }) => held.set(slot, text),
      remove: (slot) => held.delete(slot),
    })
  })

  it('reads each episode once, up to the slot asked for, and none that tells nothing', async () => {
    await reading.readThrough(1, breathe)
    await reading.readThrough(2, breathe)
    await reading.read([0, 1, 2], breathe)
    expect(fetched).toEqual([[0], [2]])
    expect([...held]).toEqual([
      [0, 'zero'],
      [2, 'two'],
    ])
  })

  it('reads one that is in doubt anew, and no other', async () => {
    await reading.readThrough(2, breathe)
    texts.set(2, 'three')
    reading.doubt([2])
    expect(reading.isDoubtful(2)).toBe(true)
    await reading.readThrough(2, breathe)
    expect(reading.isDoubtful(2)).toBe(false)
    expect(fetched).toEqual([[0, 2], [2]])
    expect(held.get(2)).toBe('three')
  })

  it('takes out what went, and reads it again when it is back', async () => {
    await reading.readThrough(2, breathe)
    texts.delete(0)
    await reading.readThrough(2, breathe)
    expect([...held.keys()]).toEqual([2])
    texts.set(0, 'back')
    await reading.readThrough(2, breathe)
    expect(held.get(0)).toBe('back')
  })

  it('reads all of a reading again that failed', async () => {
    fetching = () => Promise.reject(new Error('the disk is gone'))
    await expect(reading.readThrough(2, breathe)).rejects.toThrow('the disk is gone')
    fetching = async () => {}
    await reading.readThrough(2, breathe)
    expect([...held.keys()]).toEqual([0, 2])
  })

  it('takes readings in the order in which they were asked for', async () => {
    let open = () => {}
    const opened = new Promise<void>((resolve) => (open = resolve))
    fetching = ([slot]) => (slot === 0 ? opened : Promise.resolve())
    const both = [reading.read([0], breathe), reading.read([2], breathe)]
    open()
    await Promise.all(both)
    expect(fetched).toEqual([[0], [2]])
    expect([...held.keys()]).toEqual([0, 2])
  })
})
