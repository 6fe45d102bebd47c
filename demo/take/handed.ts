const SHARED = 'agidb-shared'

/** What another app or the system handed to this one. */
export interface Handed {
  readonly files: readonly File[]
  /** Texts without a file, such as a page's title and address. */
  readonly texts: readonly string[]
}

interface Launched {
  readonly files?: readonly { getFile(): Promise<File> }[]
}

/** Calls `take` with files that the app is opened with, now and later: `file_handlers` of the manifest. */
export function takeLaunches(take: (files: readonly File[]) => void): void {
  const queue = (globalThis as { launchQueue?: { setConsumer(consumer: (launched: Launched) => void): void } })
    .launchQueue
  queue?.setConsumer(({ files = [] }) => {
    if (files.length > 0) void Promise.all(files.map((handle) => handle.getFile())).then(take)
  })
}

/**
 * Has `take` store what was shared with the app, which the service worker kept. It is kept until `take` is done: where
 * that fails, the next load of the page has it again.
 */
export async function takeShared(take: (handed: Handed) => Promise<boolean>): Promise<void> {
  if (!('caches' in globalThis) || !(await caches.has(SHARED))) return
  const cache = await caches.open(SHARED)
  const requests = await cache.keys()
  const files: File[] = []
  const texts: string[] = []
  for (const request of requests) {
    const response = (await cache.match(request))!
    const name = decodeURIComponent(response.headers.get('X-Name') ?? '')
    if (name === '') texts.push(await response.text())
    else {
      const blob = await response.blob()
      files.push(new File([blob], name, { type: blob.type }))
    }
  }
  if (requests.length > 0 && (await take({ files, texts })))
    await Promise.all(requests.map((request) => cache.delete(request)))
  if (new URLSearchParams(location.search).has('shared')) history.replaceState(null, '', './')
}
