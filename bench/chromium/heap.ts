import type { Page } from 'playwright-core'

/** What JavaScript takes in a page and its workers, once the garbage is gone; in bytes. */
export interface Heap {
  /** Objects. */
  readonly heapBytes: number
  /** Typed arrays and what else lies beside the heap; the memory of WebAssembly is part of it. */
  readonly bufferBytes: number
}

/** Asks the page and the workers that it started, by the DevTools protocol. */
export async function heapOf(page: Page): Promise<Heap> {
  const session = await page.context().newCDPSession(page)
  const answers = new Map<number, (result: unknown) => void>()
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = JSON.parse(message) as { id?: number; result: unknown }
    if (id !== undefined) answers.get(id)?.(result)
  })
  const workers: string[] = []
  session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'worker') workers.push(sessionId)
  })
  // One attached is told before the answer comes.
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false })
  let id = 0
  const inWorker = <T>(sessionId: string, method: string) =>
    new Promise<T>((resolve, reject) => {
      answers.set(++id, (result) => resolve(result as T))
      session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) }).catch(reject)
    })
  const parts: Usage[] = []
  for (const worker of workers) {
    await inWorker(worker, 'HeapProfiler.collectGarbage')
    parts.push(await inWorker<Usage>(worker, 'Runtime.getHeapUsage'))
  }
  await session.send('HeapProfiler.collectGarbage')
  parts.push(await session.send('Runtime.getHeapUsage'))
  await session.detach()
  const sum = (of: (usage: Usage) => number) => parts.reduce((all, usage) => all + of(usage), 0)
  return {
    heapBytes: sum(({ usedSize }) => usedSize),
    bufferBytes: sum(({ backingStorageSize }) => backingStorageSize),
  }
}

interface Usage {
  readonly usedSize: number
  readonly backingStorageSize: number
}
