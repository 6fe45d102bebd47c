// @ts-check
// An app whose main process has the memory, in a folder beside its other data: `npm install`, `npm start`.
import { join } from 'node:path'
import { app, BrowserWindow, MessageChannelMain } from 'electron'
import { Agidb } from 'agidb/node'
import { serveMemory } from './serve-memory.mjs'

// A second instance of the app would find the folder in use.
if (!app.requestSingleInstanceLock()) app.exit()

await app.whenReady()
const db = await Agidb.open({ path: join(app.getPath('userData'), 'memory.agidb') })

const window = new BrowserWindow({ webPreferences: { preload: join(import.meta.dirname, 'preload.cjs') } })
// A page that is loaded anew gets a port of its own; the one before is closed with its page.
window.webContents.on('did-finish-load', () => {
  const { port1, port2 } = new MessageChannelMain()
  serveMemory(db, port1)
  window.webContents.postMessage('memory', null, [port2])
})
await window.loadFile('index.html')

app.on('window-all-closed', () => app.quit())
let isClosed = false
app.on('before-quit', async (event) => {
  if (isClosed) return
  event.preventDefault()
  await db.close().finally(() => (isClosed = true))
  app.quit()
})
