import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'
import { buildParts } from '../../tools/build-parts.js'

/**
 * A page of `e2e/pages`, built once and served on a free port of this machine: a page that is opened hundreds of times
 * should not be put together each time.
 */
export async function site(page: string): Promise<{ url: string; close: () => Promise<void> }> {
  const root = fileURLToPath(new URL('../pages', import.meta.url))
  const outDir = await mkdtemp(join(tmpdir(), 'agidb-site-'))
  const common = { root, configFile: false, logLevel: 'error' } as const
  await buildParts()
  await build({
    ...common,
    worker: { format: 'es' },
    build: { target: 'es2022', outDir, emptyOutDir: true, rolldownOptions: { input: join(root, page) } },
  })
  const server = await preview({ ...common, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } })
  const address = server.httpServer.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  const close = async (): Promise<void> => {
    await server.close()
    await rm(outDir, { recursive: true, force: true })
  }
  return { url: `http://127.0.0.1:${address.port}/${page}`, close }
}
