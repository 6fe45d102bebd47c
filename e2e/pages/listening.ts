import { audio, image } from '../../demo/take/senses.js'
import { Agidb } from '../../src/runtimes/browser/index.js'

/** What a test of listening asks of the page. */
const listening = {
  Agidb,
  encoders: { audio, image },

  /** Waits until something is so, for as long as a slow machine may need. */
  async until(isSo: () => boolean): Promise<void> {
    for (const late = performance.now() + 60_000; !isSo() && performance.now() < late; )
      await new Promise((resolve) => setTimeout(resolve, 20))
  },
}

declare global {
  interface Window {
    listening: typeof listening
  }
}

window.listening = listening
