import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { buildParts } from '../../tools/build-parts.js'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.bin': 'application/octet-stream',
}

/** A file that was asked for. */
export interface Sent {
  readonly path: string
  /** Bytes on the wire: gzip, level 9. */
  readonly bytes: number
}

/** A page that uses the library, built by Vite with its defaults, on a server of its own. */
export interface Site {
  readonly url: string
  /** What was asked for, in order. */
  readonly sent: readonly Sent[]
  close(): Promise<void>
}

/** Builds the page and serves it compressed. */
export async function openSite(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'agidb-visit-'))
  await buildParts()
  await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false } },
  })
  const sent: Sent[] = []
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://localhost').pathname
    readFile(join(folder, path === '/' ? 'index.html' : path)).then(
      (bytes) => {
        const body = gzipSync(bytes, { level: 9 })
        sent.push({ path, bytes: body.length })
        response
          .writeHead(200, { 'content-type': TYPES[extname(path)] ?? TYPES['.html'], 'content-encoding': 'gzip' })
          .end(body)
      },
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}/`,
    sent,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
