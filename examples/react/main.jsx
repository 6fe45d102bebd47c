/** @jsxRuntime automatic */
/** @jsxImportSource react */
// A React page that remembers: npm install agidb react react-dom vite, then npx vite.
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Agidb } from 'agidb'
import { MemoryProvider, useAgidb, useMemories, useRecall } from 'agidb/react'

const db = Agidb.open({ name: 'my-agent' })

function Memory() {
  const memory = useAgidb()
  const [cue, setCue] = useState('thai place')
  const { value } = useRecall(cue || ' ', { k: 3 })
  const remember = async (form) => (await memory).observe(form.get('text'))
  return (
    <main>
      <form action={remember}>
        <input name="text" placeholder="Remember something" required /> <button>Remember</button>
      </form>
      <input value={cue} onChange={({ target }) => setCue(target.value)} aria-label="Ask" />
      <ol>{value?.matches.map(({ id, text }) => <li key={id}>{text}</li>)}</ol>
      <p>Memories: {useMemories().value?.length ?? 0}</p>
    </main>
  )
}

createRoot(document.querySelector('#root')).render(
  <MemoryProvider db={db}>
    <Memory />
  </MemoryProvider>,
)
