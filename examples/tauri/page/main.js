// @ts-check
// The page has the memory, in what the webview keeps for it: OPFS, on Linux IndexedDB. Nothing crosses to Rust.
import { Agidb } from 'agidb'

const form = /** @type {HTMLFormElement} */ (document.querySelector('form'))
const list = /** @type {HTMLOListElement} */ (document.querySelector('ol'))
const said = /** @type {HTMLOutputElement} */ (document.querySelector('output'))
const db = await Agidb.open({ name: 'memory' })

async function show() {
  const { episodes, storage, durability, kernel } = await db.stats()
  said.value = `${episodes} memories, ${storage}, ${durability}, ${kernel}`
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const text = String(new FormData(form).get('text'))
  // A question is asked, all else is remembered.
  if (!text.endsWith('?')) await db.observe(text)
  const { matches } = await db.recall(text, { k: 3 })
  list.replaceChildren(...matches.map(({ text }) => Object.assign(document.createElement('li'), { textContent: text })))
  await show()
})
await show()
