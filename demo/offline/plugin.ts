import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
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
        // The library keeps its codebook itself.
        const files = [...Object.keys(bundle).filter((name) => !/\.(map|bin)$/.test(name)), ...readdirSync(publicDir)]
        const worker = readFileSync(new URL('service-worker.js', import.meta.url), 'utf8')
          .replace("'VERSION'", JSON.stringify(hash.digest('hex').slice(0, 12)))
          .replace("['FILES']", JSON.stringify(['./', ...files.sort()]))
        this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: worker })
      },
    },
  }
}
