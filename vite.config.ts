import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { buildParts } from './tools/build-parts.js'
import { offline } from './demo/offline/plugin.js'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

await buildParts()

/** The page in `demo/`, on the library's sources. */
export default defineConfig({
  root: here('demo'),
  base: './',
  appType: 'mpa',
  plugins: [offline()],
  // The worker's dependencies too, or the first visit of a development server would find them late and reload.
  optimizeDeps: { entries: ['index.html', here('workers/engine.ts')] },
  server: { fs: { allow: [here('.')] } },
  build: { target: 'es2022', outDir: here('demo/dist'), emptyOutDir: true, modulePreload: { polyfill: false } },
  worker: { format: 'es' },
})
