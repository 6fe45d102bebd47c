import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  // The model of the chat may be behind any address that its user names; pictures and sounds that are kept are blobs.
  "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Makes the built page work without a network, and with a strict Content-Security-Policy. */
export function offline(): Plugin {
  let publicDir = ''
  return {
    name: 'agidb-demo:offline',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      publicDir = config.publicDir
    },
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' },
    ],
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const hash = createHash('sha256')
        for (const file of Object.values(bundle)) hash.update(file.type === 'chunk' ? file.code : file.source)
        const own = readdirSync(publicDir).filter((name) => !name.startsWith('screenshot'))
        for (const name of own) hash.update(readFileSync(join(publicDir, name)))
        // Two builds of the same sources can be told apart: `AGIDB_BUILD` is for the test of an update.
        hash.update(process.env['AGIDB_BUILD'] ?? '')
        // The library keeps its codebook itself.
        const files = [...Object.keys(bundle).filter((name) => !/\.(map|bin)$/.test(name)), ...own]
        const worker = readFileSync(new URL('service-worker.js', import.meta.url), 'utf8')
          .replace("'VERSION'", JSON.stringify(hash.digest('hex').slice(0, 12)))
          .replace("['FILES']", JSON.stringify(['./', ...files.sort()]))
        this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: worker })
      },
    },
  }
}
