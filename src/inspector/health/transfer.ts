import type { ExportFormat } from '../../api/portable.js'
import { element, field, tick } from '../dom/element.js'
import { count, counted } from '../dom/format.js'
import type { Desk } from '../view.js'

const ENDINGS: Readonly<Record<ExportFormat, string>> = { agidb: 'agidb', jsonl: 'jsonl' }

/** Saves all that the memory holds as a file. */
export async function exportFile(desk: Desk, name: string): Promise<void> {
  const format = element(
    'select',
    { autofocus: '' },
    element('option', { value: 'agidb' }, 'All of it, to be imported again (.agidb)'),
    element('option', { value: 'jsonl' }, 'Memories alone, for other programs (.jsonl)'),
  )
  const passphrase = element('input', { type: 'password', autocomplete: 'new-password' })
  const secret = field('Passphrase', passphrase, 'Default: not encrypted')
  format.addEventListener('change', () => (secret.hidden = format.value === 'jsonl'))
  let size = 0
  const { done } = desk.ask({
    title: 'Export',
    yes: 'Export',
    body: [field('What', format), secret],
    act: async (signal) => {
      const chosen = format.value as ExportFormat
      const isSecret = chosen === 'agidb' && passphrase.value !== ''
      const stream = await desk.db.export({ format: chosen, ...(isSecret && { passphrase: passphrase.value }) })
      const blob = await new Response(stream).blob()
      if (signal.aborted) return
      size = blob.size
      save(blob, `${name}-${new Date().toISOString().slice(0, 10)}.${ENDINGS[chosen]}`)
    },
  })
  if (await done) desk.say(`Exported ${counted(size, 'byte', 'bytes')}.`)
}

/** Fills the memory from a file. */
export async function importFile(desk: Desk): Promise<void> {
  const { episodes } = await desk.db.stats()
  const file = element('input', { type: 'file', required: '', accept: '.agidb,.jsonl', autofocus: '' })
  const passphrase = element('input', { type: 'password', autocomplete: 'off' })
  const replace = element('input', { type: 'checkbox', ...(episodes > 0 && { required: '' }) })
  const progress = element('progress', { 'aria-label': 'Imported', max: '1', value: '0' })
  progress.hidden = true
  let came = 0
  const { done } = desk.ask({
    title: 'Import',
    yes: 'Import',
    isDanger: episodes > 0,
    body: [
      field('File', file),
      field('Passphrase', passphrase, 'Of an encrypted file'),
      episodes === 0
        ? undefined
        : tick(`Give up the ${counted(episodes, 'memory that is', 'memories that are')} there for it`, replace),
      progress,
    ],
    act: async (signal) => {
      const [chosen] = file.files ?? []
      if (chosen === undefined) return
      progress.hidden = false
      try {
        const report = await desk.db.import(chosen, {
          replace: replace.checked,
          signal,
          onProgress: ({ done, total }) => (progress.value = done / Math.max(1, total ?? 1)),
          ...(passphrase.value !== '' && { passphrase: passphrase.value }),
        })
        came = report.episodes
      } finally {
        progress.hidden = true
      }
    },
  })
  if (await done) desk.say(`Imported ${count(came)} ${came === 1 ? 'memory' : 'memories'}.`)
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  element('a', { href: url, download: name }).click()
  // The browser reads the address soon after the click, and says nothing when it has.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
