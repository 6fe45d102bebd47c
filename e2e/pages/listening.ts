import { audio, image } from '../../demo/take/senses.js'
import { Agidb } from '../../src/runtimes/browser/index.js'

/** What a test of listening asks of the page. */
const listening = { Agidb, encoders: { audio, image } }

declare global {
  interface Window {
    listening: typeof listening
  }
}

window.listening = listening
