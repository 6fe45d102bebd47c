// @ts-check
/**
 * The memory of the main process, as the page has it. Resolves when the preload script has handed the port on.
 *
 * @param {(change: import('agidb').MemoryChange) => void} changed is told of every change.
 * @returns {Promise<Pick<import('agidb').Agidb, 'observe' | 'recall' | 'getEpisode' | 'count' | 'unlearn' | 'stats'>>}
 */
export async function remoteMemory(changed = () => {}) {
  const port = await new Promise((/** @type {(port: MessagePort) => void} */ resolve) =>
    addEventListener('message', function handed({ source, data, ports }) {
      if (source !== window || data !== 'memory') return
      removeEventListener('message', handed)
      resolve(ports[0])
    }),
  )
  /** @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map()
  let calls = 0
  port.onmessage = ({ data: { call, answer, error, change } }) => {
    if (change !== undefined) return changed(change)
    const { resolve, reject } = /** @type {any} */ (waiting.get(call))
    waiting.delete(call)
    if (error === undefined) resolve(answer)
    else reject(Object.assign(new Error(error.message), { code: error.code }))
  }
  const call = (/** @type {string} */ method, /** @type {unknown[]} */ args) =>
    new Promise((resolve, reject) => {
      waiting.set(++calls, { resolve, reject })
      port.postMessage({ call: calls, method, args })
    })
  const methods = ['observe', 'recall', 'getEpisode', 'count', 'unlearn', 'stats']
  return /** @type {any} */ (
    Object.fromEntries(
      methods.map((method) => [method, (/** @type {unknown[]} */ ...args) => call(method, args)]),
    )
  )
}
