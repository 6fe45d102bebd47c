import type { BrowserContext } from '@playwright/test'

/** The addresses that pages ask for beyond the server at `url`; it grows as they are asked for. */
export function requestsElsewhere(context: BrowserContext, url: string): string[] {
  const found: string[] = []
  context.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url)) found.push(request.url())
  })
  return found
}
