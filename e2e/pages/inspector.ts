import { Agidb } from '../../src/runtimes/browser/index.js'
import '../../src/inspector/index.js'

document.body.style.margin = '0'

declare global {
  interface Window {
    inspected: {
      db: Agidb | undefined
      open(name: string): Promise<void>
      openOwn(name: string): void
    }
  }
}

const element = document.querySelector('agidb-inspector')!

window.inspected = {
  db: undefined,
  async open(name) {
    const db = await Agidb.open({ name, extract: 'rules' })
    window.inspected.db = db
    element.db = db
  },
  openOwn(name) {
    element.name = name
  },
}
