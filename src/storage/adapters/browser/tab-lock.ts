import { AgidbError } from '../../../base/errors.js'

/** How long to wait for an owner that does not answer: it is dying, or busy. */
const SILENT_WAIT_MS = 5000
/**
 * How long an owner must go on answering to count as alive: the worker of a page that is being
 * reloaded answers for a moment yet, and one that wakes answers all that it was asked in its sleep at once.
 */
const ALIVE_AFTER_MS = 1000
const ASK_EVERY_MS = 200

/**
 * Takes the origin-wide lock of a database, and answers the function that gives it back. An owner that
 * is alive and says so is reported as `AGIDB_IN_USE` after a second; one that dies hands over at once.
 */
export async function takeTabLock(name: string): Promise<() => void> {
  // Without Web Locks the sync access handle alone, or the check of each IndexedDB commit, keeps others out.
  if (!navigator.locks) return () => undefined
  const channel = new BroadcastChannel(`agidb:${name}`)
  const waiting = new AbortController()
  const started = performance.now()
  let answered: number | undefined
  const ask = setInterval(() => {
    const waited = performance.now() - started
    if (waited > SILENT_WAIT_MS) waiting.abort()
    else channel.postMessage('ask')
  }, ASK_EVERY_MS)
  channel.onmessage = ({ data }) => {
    if (data !== 'answer') return
    answered ??= performance.now()
    if (performance.now() - answered > ALIVE_AFTER_MS) waiting.abort()
  }
  try {
    const release = await hold(name, waiting.signal)
    channel.onmessage = ({ data }) => {
      if (data === 'ask') channel.postMessage('answer')
    }
    return () => {
      channel.close()
      release()
    }
  } catch (cause) {
    channel.close()
    if (!waiting.signal.aborted) throw cause
    const message = `another tab or worker has the database ${name} open: close it there first`
    throw new AgidbError('AGIDB_IN_USE', message, { database: name }, { cause })
  } finally {
    clearInterval(ask)
  }
}

/** Resolves, once the lock is held, to the function that releases it. */
function hold(name: string, signal: AbortSignal): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const held = (): Promise<void> => new Promise((release) => resolve(release))
    navigator.locks.request(`agidb:${name}`, { signal }, held).catch(reject)
  })
}
