import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandLine } from './command.js'
import { agidb } from './forgetting/agidb.js'
import { langgraph } from './forgetting/langgraph.js'
import { minisearch } from './forgetting/minisearch.js'
import { orama } from './forgetting/orama.js'
import { pglite } from './forgetting/pglite.js'
import type { Item, Subject } from './forgetting/store.js'
import { compareWithTwin, type Trial } from './forgetting/twin.js'

const HELP = `
What a deletion leaves: a store has some texts and deletes them; its twin never had them. Both are asked the same.

  npm ci --prefix bench/peers     installs the stores that are no dependency of this package
  npm run bench:forgetting

  --only NAME   those whose names have this in them
  --cues N      questions, each the first half of a text that is kept (default 200)
  --markdown    prints the table of docs/forgetting.md
`

const SUBJECTS: readonly Subject[] = [agidb, orama, ...minisearch, ...pglite, langgraph]
const CONVERSATIONS = fileURLToPath(new URL('data/conversations/', import.meta.url))

const { values } = commandLine(HELP, {
  options: {
    only: { type: 'string', default: '' },
    cues: { type: 'string', default: '200' },
    markdown: { type: 'boolean' },
  },
})

const trial = await conversations(Number(values.cues))
const { kept, deleted, cues } = trial
console.error(`${kept.length} texts are kept, ${deleted.length} deleted, ${cues.length} questions`)
if (values.markdown) {
  console.log(
    '| store | deleted by | a deleted text is found | other texts or order | two twins differ | other scores ' +
      '| deleted texts in the files |',
  )
  console.log('|---|---|---|---|---|---|---|')
}
for (const subject of SUBJECTS.filter(({ name }) => name.toLowerCase().includes(values.only.toLowerCase()))) {
  const { found, otherOrder, otherScores, twins, remaining, before } = await compareWithTwin(subject, trial)
  const share = (count: number) => `${count} of ${cues.length}`
  const files = remaining === undefined ? 'nothing is stored' : `${remaining} of ${before}`
  const cells = [subject.name, subject.means, share(found), share(otherOrder), share(twins), share(otherScores), files]
  console.log(values.markdown ? `| ${cells.join(' | ')} |` : cells.join(' · '))
}

/** The turns of all conversations; every 20th session is deleted. */
async function conversations(count: number): Promise<Trial> {
  const all: Item[] = []
  const deleted: Item[] = []
  let sessions = 0
  for (const file of (await readdir(CONVERSATIONS)).sort()) {
    const conversation = JSON.parse(await readFile(join(CONVERSATIONS, file), 'utf8')) as Record<string, unknown>
    for (const [name, turns] of Object.entries(conversation)) {
      if (!/^session_\d+$/.test(name)) continue
      const isDeleted = ++sessions % 20 === 0
      for (const { dia_id: turn, text } of turns as { dia_id: string; text: string }[]) {
        const item = { id: `${file} ${turn}`, text }
        all.push(item)
        if (isDeleted) deleted.push(item)
      }
    }
  }
  const gone = new Set(deleted)
  const kept = all.filter((item) => !gone.has(item))
  const step = Math.max(1, Math.floor(kept.length / count))
  const cues = kept.filter((_, i) => i % step === 0).map(({ text }) => firstHalf(text))
  return { all, kept, deleted, cues: cues.slice(0, count) }
}

/** The first half of a text; an emoji is not cut in two. */
function firstHalf(text: string): string {
  const characters = [...text]
  return characters.slice(0, Math.ceil(characters.length / 2)).join('')
}
