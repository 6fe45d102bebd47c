const KEPT = 'agidb-app/drafts'
const FIELDS = 'input:not([type=file], [type=password], [type=range], [type=checkbox], [type=radio]), textarea'

type Field = HTMLInputElement | HTMLTextAreaElement

/** Keeps what is half-typed on the page until it is there again. Passphrases and keys are left out. */
export function keepDrafts(): void {
  const drafts = fields().flatMap((field, i) => (field.value === '' ? [] : [[keyOf(field, i), field.value]]))
  sessionStorage.setItem(KEPT, JSON.stringify(drafts))
}

/** Puts back what was half-typed before the page was loaded again. Called again for fields that came later. */
export function restoreDrafts(): void {
  const kept = sessionStorage.getItem(KEPT)
  if (kept === null) return
  const drafts = new Map(JSON.parse(kept) as [string, string][])
  fields().forEach((field, i) => {
    const key = keyOf(field, i)
    const draft = drafts.get(key)
    if (draft === undefined || field.value !== '') return
    field.value = draft
    drafts.delete(key)
  })
  sessionStorage.setItem(KEPT, JSON.stringify([...drafts]))
}

const fields = (): Field[] => Array.from(document.querySelectorAll<Field>(FIELDS))

/** What tells a field from the others in two loads of the page: its id, or its form and its label. */
function keyOf(field: Field, place: number): string {
  if (field.id !== '') return `#${field.id}`
  const form = field.form?.getAttribute('aria-label') ?? ''
  const label = field.labels?.[0]?.textContent ?? field.getAttribute('aria-label')
  return label === null ? `${place}` : `${form}/${label}`
}
