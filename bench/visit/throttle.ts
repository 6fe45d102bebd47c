import type { CDPSession, Page } from 'playwright-core'

/** Slows the network of a page and of the workers that it starts from now on, down to a rate in Mbit/s. */
export async function throttle(page: Page, megabits: number, latencyMs = 40): Promise<void> {
  const bytes = (megabits * 1e6) / 8
  const conditions = { offline: false, latency: latencyMs, downloadThroughput: bytes, uploadThroughput: bytes }
  const cdp = await page.context().newCDPSession(page)
  cdp.on('Target.attachedToTarget', ({ sessionId }) => {
    // A worker waits until it is told to go on, so that nothing is fetched at full speed.
    for (const [id, method, params] of [
      [1, 'Network.enable', {}],
      [2, 'Network.emulateNetworkConditions', conditions],
      [3, 'Runtime.runIfWaitingForDebugger', {}],
    ] as const) {
      void tell(cdp, sessionId, { id, method, params })
    }
  })
  await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: false })
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', conditions)
}

function tell(cdp: CDPSession, sessionId: string, message: object): Promise<unknown> {
  return cdp.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify(message) }).catch(() => {})
}
