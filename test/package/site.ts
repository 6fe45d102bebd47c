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
  '.json': 'application/json',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.wav': 'audio/wav',
  '.flac': 'audio/flac',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
}

/** A web server on this machine. */
export interface Site {
  /** Its origin, as `http://127.0.0.1:8080`. */
  readonly origin: string
  close(): Promise<void>
}

/**
 * Serves the files of folders, and nothing above them, to pages of any origin, as a CDN does.
 *
 * @param folders Path of the folder, or of several: a file is that of the first folder that has it.
 * @param headers Sent with every file.
 */
export async function serveFolder(
  folders: string | readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Site> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost')
    const path = decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    const bytes = await firstOf([folders].flat(), path)
    if (bytes === undefined) return void response.writeHead(404).end('not found')
    response.writeHead(200, {
      'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
      'Access-Control-Allow-Origin': '*',
      ...headers,
    })
    response.end(bytes)
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

async function firstOf(folders: readonly string[], path: string): Promise<Buffer | undefined> {
  for (const folder of folders) {
    const bytes = await readFile(join(folder, path)).catch(() => undefined)
    if (bytes !== undefined) return bytes
  }
  return undefined
}
