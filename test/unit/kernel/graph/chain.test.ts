import { describe, expect, test } from 'vitest'
import { NO_NODE } from '../../../../src/kernel/graph.js'
import { kernels } from '../kernels.js'
import { graphKernelOf } from '../../../../src/kernel/graphs.js'

describe.each(kernels)('temporal chain, %s kernel', (_, kernel) => {
  const list = (session: number, ...slots: number[]) => {
    const chain = graphKernelOf(kernel).chain()
    slots.forEach((slot, i) => chain.insert(slot, session, i === 0 ? NO_NODE : slots[i - 1]))
    return chain
  }

  test('a list is followed in both directions, the nearest first', () => {
    const chain = list(7, 0, 5, 2000)
    expect([...chain.forward(0, 9)]).toEqual([5, 2000])
    expect([...chain.backward(2000, 1)]).toEqual([5])
    expect([chain.previous(0), chain.next(2000), chain.session(5), chain.session(6)]).toEqual([
      NO_NODE,
      NO_NODE,
      7,
      undefined,
    ])
  })

  test('a slot comes between two, before the first, and after the last', () => {
    const chain = list(1, 10, 20)
    chain.insert(15, 1, 10, 20)
    chain.insert(5, 1, NO_NODE, 10)
    chain.insert(25, 1, 20)
    expect([...chain.forward(5, 9)]).toEqual([10, 15, 20, 25])
    expect([...chain.backward(25, 9)]).toEqual([20, 15, 10, 5])
  })

  test('what is removed is left out of its list, which equals one that never had it', () => {
    const chain = list(1, 10, 15, 20)
    expect(chain.remove(15)).toBe(true)
    expect(chain.remove(15)).toBe(false)
    expect(chain.save()).toEqual(list(1, 10, 20).save())
    expect([chain.remove(10), chain.remove(20), chain.nodes]).toEqual([true, true, 0])
    expect(chain.save()).toEqual(list(1).save())
  })

  test('a slot cannot be inserted twice, beside a slot of another session, or where its neighbours are apart', () => {
    const chain = list(1, 10, 20, 30)
    expect(() => chain.insert(20, 1, 10)).toThrow('slot must be a slot that is in no list, not 20')
    expect(() => chain.insert(11, 2, 10)).toThrow('previous must be a slot in a list of session 2, not 10')
    expect(() => chain.insert(11, 1, 10, 30)).toThrow('next must be the slot after 10, or none, not 30')
    expect(() => chain.insert(11, 1, 12)).toThrow('previous must be')
    expect([chain.nodes, ...chain.forward(10, 9)]).toEqual([3, 20, 30])
  })

  test('what was saved is what is loaded', () => {
    const chain = list(0xffff_ffff, 3, 1, 2)
    const loaded = graphKernelOf(kernel).chain()
    loaded.load(chain.save())
    expect(loaded.save()).toEqual(chain.save())
    expect([...loaded.backward(2, 9), loaded.session(1)]).toEqual([1, 3, 0xffff_ffff])
    expect(() => loaded.load(chain.save())).toThrow('only an empty graph can be loaded')
  })

  test('bytes of which one is another are refused, and the chain stays empty', () => {
    const bytes = list(1, 3, 1, 2).save()
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.slice()
      damaged[at] ^= 4
      const chain = graphKernelOf(kernel).chain()
      expect(() => chain.load(damaged)).toThrow(/damaged/)
      expect(chain.nodes).toBe(0)
    }
  })
})
