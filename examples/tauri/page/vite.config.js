import { defineConfig } from 'vite'

// The address that tauri.conf.json names, and ES modules for the workers of agidb.
export default defineConfig({
  server: { port: 5173, strictPort: true },
  worker: { format: 'es' },
  optimizeDeps: { exclude: ['agidb'] },
})
