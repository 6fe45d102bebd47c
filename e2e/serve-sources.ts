import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createServer, type Plugin } from 'vite'
import { buildParts } from '../tools/build-parts.js'

/** A page that is open for long asks for an icon; that there is none must not be an error in its console. */
const NO_ICON: Plugin = {
  name: 'no-icon',
  configureServer({ middlewares }) {
    middlewares.use('/favicon.ico', (_, response) => {
      response.statusCode = 204
      response.end()
    })
  },
}

/**
 * A development server of this repository on a free port of this machine: pages load its sources, one by one.
 *
 * @param headers sent with everything
 * @param plugins of Vite, for what is no file
 */
export async function serveSources(
  headers: Record<string, string> = {},
  plugins: readonly Plugin[] = [],
): Promise<{ url: string; close: () => Promise<void> }> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  // A cache of its own, so that servers side by side do not disturb each other.
  const cacheDir = `${root}node_modules/.vite-e2e-${process.pid}`
  await buildParts()
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    cacheDir,
    plugins: [NO_ICON, ...plugins],
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null, headers },
    optimizeDeps: { entries: ['e2e/pages/*.{html,worker.ts}', 'workers/{engine,encoder,transformers}.ts'] },
  })
  await server.listen()
  const address = server.httpServer?.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  const close = async (): Promise<void> => {
    await server.close()
    await rm(cacheDir, { recursive: true, force: true })
  }
  return { url: `http://127.0.0.1:${address.port}`, close }
}
