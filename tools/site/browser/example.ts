import * as library from '../../../src/runtimes/browser/index.js'

type Opened = Awaited<ReturnType<typeof library.Agidb.open>>

/** The import of the library at the head of an example. */
const IMPORT = /^import \{ ([^}]*) \} from 'agidb'$/m

/** What the program of an example sees in the place of the library: memories that are gone with the page. */
function inMemory(opened: Opened[]) {
  const open = async (options: Readonly<Record<string, unknown>>): Promise<Opened> => {
    const { name: _, path: __, ...rest } = options
    const db = await library.Agidb.open({ ...rest, storage: 'memory' } as Parameters<typeof library.Agidb.open>[0])
    opened.push(db)
    return db
  }
  return { ...library, Agidb: { ...library.Agidb, open } }
}

/** An example of the documentation that can be changed and run. Its memory is gone when it ends. */
class Example extends HTMLElement {
  connectedCallback(): void {
    const code = this.querySelector('code')!
    code.setAttribute('contenteditable', 'plaintext-only')
    code.setAttribute('spellcheck', 'false')
    code.setAttribute('role', 'textbox')
    code.setAttribute('aria-multiline', 'true')
    code.setAttribute('aria-label', 'Example, which you can change')
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Run'
    const output = document.createElement('output')
    button.addEventListener('click', () => {
      button.disabled = true
      output.textContent = ''
      void run(code.textContent, (line) => (output.textContent += `${line}\n`)).finally(() => (button.disabled = false))
    })
    this.append(button, output)
  }
}

async function run(code: string, print: (line: string) => void): Promise<void> {
  const opened: Opened[] = []
  const console = { log: (...values: readonly unknown[]) => print(values.map(shown).join(' ')) }
  const body = code.replace(IMPORT, (_, names: string) => `const { ${names} } = agidb`)
  const started = performance.now()
  try {
    const AsyncFunction = (async () => {}).constructor as new (...all: string[]) => (...all: unknown[]) => Promise<void>
    await new AsyncFunction('agidb', 'console', body)(inMemory(opened), console)
    print(`(${Math.round(performance.now() - started)} ms)`)
  } catch (error) {
    print(error instanceof library.AgidbError ? `${error.code}: ${error.message}` : String(error))
  } finally {
    await Promise.all(opened.map((db) => db.close().catch(() => undefined)))
  }
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${value.byteLength} bytes)`
  return JSON.stringify(value, undefined, 1) ?? String(value)
}

/** Makes the examples of a page ones that can be changed and run. */
export function startExamples(): void {
  customElements.define('agidb-example', Example)
}
