// @ts-check
/** What the page may ask for. Its code is the least trusted of the app, so it cannot export or forget everything. */
const METHODS = ['observe', 'recall', 'getEpisode', 'count', 'unlearn', 'stats']

/**
 * The end of a channel in the main process.
 *
 * @typedef {object} Port
 * @property {(event: 'message', listener: (message: { data: any }) => void) => unknown} on
 * @property {(event: 'close', listener: () => void) => unknown} once
 * @property {() => void} start
 * @property {(message: unknown) => void} postMessage
 */

/**
 * Answers what a page asks by a port, and tells it of every change.
 *
 * @param {import('agidb').Agidb} db
 * @param {Port} port
 */
export function serveMemory(db, port) {
  port.on('message', async ({ data: { call, method, args } }) => {
    try {
      if (!METHODS.includes(method)) throw new Error(`a page may not call ${method}`)
      port.postMessage({ call, answer: await /** @type {any} */ (db)[method](...args) })
    } catch (error) {
      // An error keeps only its message on its way.
      const { code, message } = /** @type {import('agidb').AgidbError} */ (error)
      port.postMessage({ call, error: { code, message } })
    }
  })
  port.once(
    'close',
    db.subscribe((change) => port.postMessage({ change })),
  )
  port.start()
}
