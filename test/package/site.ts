import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
}

/** A web server on this machine. */
export interface Site {
  /** Its origin, as `http://127.0.0.1:8080`. */
  readonly origin: string
  close(): Promise<void>
}

/**
 * Serves the files of a folder, and nothing above it, to pages of any origin, as a CDN does.
 *
 * @param folder Path of the folder.
 */
export async function serveFolder(folder: string): Promise<Site> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost')
    const path = join(folder, decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname))
    try {
      const bytes = await readFile(path)
      response.writeHead(200, {
        'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
        'Access-Control-Allow-Origin': '*',
      })
      response.end(bytes)
    } catch {
      response.writeHead(404).end('not found')
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
