import type { LearningEvent } from '../../api/learning.js'
import type { SensoryFrame } from '../../api/sensory.js'
import { conceptKey, conceptWords } from '../../encoding/concept.js'
import { identityOf } from '../../extraction/concepts/identity.js'
import type { Logged } from '../../records/event-log.js'
import { subjectsOf } from '../../records/events/registry.js'
import { versionKind } from '../../records/kinds/version.js'
import { aliasesOf } from '../beliefs/aliases.js'
import { isDecision, namesOf } from '../concepts/decisions.js'
import type { MemoryContext } from '../context.js'
import { ascending, creations, type Floors, type Found, type FoundVersion, matching } from './finding.js'
import { type Said, saidBy } from './said.js'

/** The names of a concept, in the forms in which they are looked for. */
interface Names {
  /** By which a whole name is recognised. */
  readonly keys: ReadonlySet<string>
  /** The words of each, which stand beside each other in a text. */
  readonly words: readonly (readonly string[])[]
  /** By which a decision of a caller is recognised. */
  readonly identities: ReadonlySet<string>
}

/** What names a concept, under any of its names, with what was decided of these. */
export async function findConcept(context: MemoryContext, floors: Floors, name: string): Promise<Found> {
  const { indexes } = context
  const names = await namesOfConcept(context, floors, name)
  const named = [...names.keys].flatMap((key) => indexes.concepts.slots(key))
  const known = new Set(named)
  const spoken = names.words.flatMap((wanted) => [...withWords(context, wanted)])
  const mentioning = await matching(
    context,
    spoken.filter((slot) => !known.has(slot)),
    ({ text }) => isNamedIn(text, names),
  )
  const slots = ascending([...named, ...mentioning])
  const frames = floors.frames().filter(({ frame }) => says(saidByFrame(frame), names))
  return {
    slots,
    events: eventsNaming(context, names),
    frames,
    versions: await versionsNaming(context, floors, slots, names),
  }
}

async function namesOfConcept(context: MemoryContext, floors: Floors, name: string): Promise<Names> {
  const { conceptNames } = context.indexes
  const linked = conceptNames.keysOf(name)
  const aliases = await aliasesOf(context, name, floors.aliases(), { now: context.clock() })
  const all = [name, ...aliases, ...conceptNames.spellings(linked), ...linked]
  return {
    keys: new Set(all.map(conceptKey)),
    words: [...new Set(all.map((one) => conceptWords(one).join(' ')))].map((one) => one.split(' ')),
    identities: new Set(all.map(identityOf)),
  }
}

/**
 * The events of beliefs, goals and procedures that name a concept, whole and with the goals below such a goal; and
 * single events that name it and that nothing else rests on.
 */
function eventsNaming(context: MemoryContext, names: Names): Logged[] {
  const naming = context.told().filter(({ event }) => says(saidBy(event), names))
  const owners = new Set(naming.flatMap(({ event }) => (isAlone(event) ? [] : subjectsOf(event))))
  const whole = creations(context, (event) => subjectsOf(event).some((id) => owners.has(id)))
  const alone = new Set(naming.flatMap(({ slot, event }) => (isAlone(event) ? [slot] : [])))
  const taken = new Set(whole.map(({ slot }) => slot))
  const single = context.log.all().filter(({ slot, event }) => {
    if (taken.has(slot)) return false
    return alone.has(slot) || (isDecision(event) && namesOf(event).some((one) => names.identities.has(identityOf(one))))
  })
  return [...whole, ...single]
}

/** Whether an event can be forgotten by itself: an execution, a traced recall, what was said of two entities. */
function isAlone({ kind }: LearningEvent): boolean {
  return (
    kind === 'procedureExecuted' ||
    kind === 'attentionTraced' ||
    kind === 'entitiesRelated' ||
    kind === 'edgesForgotten'
  )
}

/** The earlier versions that name a concept, of episodes that do not name it any more. */
async function versionsNaming(
  { indexes: { catalog }, rows }: MemoryContext,
  { versions }: Floors,
  gone: readonly number[],
  names: Names,
): Promise<FoundVersion[]> {
  if (versions.size === 0) return []
  const forgotten = new Set(gone)
  const found: FoundVersion[] = []
  for (const slot of catalog.slots()) {
    const episode = catalog.id(slot)!
    const stored = forgotten.has(slot) ? [] : versions.of(episode)
    const read = stored.length === 0 ? [] : await rows(stored.map((one) => one.slot))
    read.forEach((row, i) => {
      const { text, triples } = versionKind.decode(row!).content
      const said = { texts: [text], names: (triples ?? []).flatMap(({ subject, object }) => [subject, object]) }
      if (says(said, names)) found.push({ ...stored[i], episode })
    })
  }
  return found
}

function saidByFrame({ text, triples = [] }: SensoryFrame): Said {
  return {
    texts: text === undefined ? [] : [text],
    names: triples.flatMap(({ subject, object }) => [subject, object]),
  }
}

/** Whether something names a concept. */
function says(said: Said, names: Names): boolean {
  return said.names.some((one) => names.keys.has(conceptKey(one))) || said.texts.some((one) => isNamedIn(one, names))
}

/** Whether a text has the words of a name beside each other. */
function isNamedIn(text: string, { words }: Names): boolean {
  const own = conceptWords(text)
  return words.some((name) => own.some((_, start) => name.every((word, i) => own[start + i] === word)))
}

/** The episodes whose words the rarest of some words is, or all where none of them is indexed. */
function withWords({ indexes }: MemoryContext, words: readonly string[]): Iterable<number> {
  const { postings, catalog } = indexes
  const terms = [...indexes.words.terms(indexes.words.read(words.join(' ')))].map(([term]) => term)
  const [rarest] = terms.sort((a, b) => postings.documentFrequency(a) - postings.documentFrequency(b))
  if (rarest === undefined) return catalog.slots()
  return postings.search(new Map([[rarest, 1]]), Math.max(1, catalog.size)).slots
}
