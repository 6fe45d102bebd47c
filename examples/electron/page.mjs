// @ts-check
import { remoteMemory } from './remote-memory.mjs'

const form = /** @type {HTMLFormElement} */ (document.querySelector('form'))
const list = /** @type {HTMLOListElement} */ (document.querySelector('ol'))
const count = /** @type {HTMLOutputElement} */ (document.querySelector('output'))
const memory = await remoteMemory(show)

async function show() {
  count.value = `${await memory.count()} memories`
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const text = String(new FormData(form).get('text'))
  // A question is asked, all else is remembered.
  if (!text.endsWith('?')) await memory.observe(text)
  const { matches } = await memory.recall(text, { k: 3 })
  list.replaceChildren(
    ...matches.map(({ text }) => Object.assign(document.createElement('li'), { textContent: text })),
  )
})
await show()
