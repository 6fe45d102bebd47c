import type { Caller } from '../../api/caller.js'
import {
  checkChoice,
  checkId,
  checkKeys,
  checkList,
  checkName,
  checkText,
  checkWhole,
  invalid,
} from '../../api/check.js'
import { jsonObject } from '../../api/check-json.js'
import type { DocumentParser, ParsedDocument } from '../../api/document-parser.js'
import type {
  AgingConfig,
  AgingReport,
  BrowseOptions,
  Entry,
  EntryMatch,
  EntryPatch,
  EntrySearchOptions,
  EntryTree,
  IngestOptions,
  IngestReport,
  NewEntry,
  Salience,
  VisibilityOptions,
} from '../../api/entry.js'
import type { EntryFacet, EntryId, EntryPlace, EntryVisibility } from '../../api/entry-facet.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import type { Identity, Perspective, Priming, PrimingOptions, SuggestedPerspective } from '../../api/identity.js'
import type { Observation } from '../../api/episode.js'
import type { Summarize } from '../../api/summarizer.js'
import type { Reflection, ThinkAction, ThinkAnswers, ThinkReport } from '../../api/think.js'
import type { UnlearnReport } from '../../api/forgetting.js'
import { AgidbError } from '../../base/errors.js'
import { type Format, formatOf } from '../../documents/formats.js'
import { textParser } from '../../documents/text.js'
import { CONTENT_LEVEL } from '../../records/entry.js'
import { checkObservation } from '../../records/observation.js'
import { age, toAging } from './aging.js'
import { change, link, nextTo } from './change.js'
import {
  checkBrowse,
  checkEntryPatch,
  checkIngest,
  checkParsed,
  checkRelations,
  checkSearch,
  facetOf,
  shownOf,
} from './checks.js'
import type { DocumentContext } from './context.js'
import { entryIdOf, hashOf } from './entry-id.js'
import { identityOf, suggestedFor } from './identity.js'
import { ingest, taken, unchanged } from './ingest.js'
import { leaveDocuments } from './leave.js'
import { standingAnew, withPlaces } from './placing.js'
import { childSlots, isCurrent, isWithin, outlineOf, pathSlots } from './outline.js'
import { BUILT_IN } from './perspectives.js'
import { primingOf } from './priming.js'
import { entriesOfAnswer, reflectionOf } from './reflection.js'
import { consolidate, discover, historyOf, statusOf, write } from './think.js'
import { browse, search } from './search.js'
import { extractiveSummarizer } from '../../summaries/extractive.js'
import { storeResting } from './store-resting.js'
import { summarize } from './summaries.js'
import { entriesOf } from './view.js'

const THINK_ACTIONS: readonly ThinkAction[] = ['discover', 'status', 'history', 'consolidate']

/** What answers the methods of documents. Loaded when the first is called. */
export class DocumentQueries {
  readonly #context: DocumentContext

  constructor(context: Omit<DocumentContext, 'summarizer'>, summarizer: Summarize = 'extractive') {
    const built = { extractive: extractiveSummarizer, none: undefined }
    this.#context = { ...context, summarizer: typeof summarizer === 'string' ? built[summarizer] : summarizer }
  }

  async add(content: string, entry: NewEntry, caller: Caller): Promise<Entry> {
    const { limits, indexes, clock } = this.#context
    checkText('content', content, limits)
    const said = facetOf(entry, limits)
    const id = entryIdOf(content)
    const observation = observationOf(id, content, entry)
    // What is there already is not stored, so storing checks nothing of it.
    checkObservation('', observation, limits)
    const relations = checkRelations(entry.relations ?? [], limits)
    for (const { target } of relations) this.#expect('relations', target)
    for (const id of said.summarizes ?? []) this.#expect('summarizes', id)
    const place = this.#placeOf(entry, content)
    const slot = indexes.catalog.slot(id)
    const facet = slot === undefined ? undefined : indexes.documents.facet(slot)
    if (slot === undefined) {
      const added: EntryFacet = { ...said, places: place === undefined ? [] : [place] }
      await storeResting(this.#context, [[observation, added]], caller)
      // It is not stored where one of these went meanwhile.
      for (const id of said.summarizes ?? []) this.#expect('summarizes', id)
    } else if (facet === undefined) {
      throw taken(id)
    } else if (!isCurrent(indexes, slot, clock())) {
      await this.#context.restate(caller, [id], (episode) => standingAnew(episode, place))
    } else if (place !== undefined) {
      const places = facet.places.filter(({ source }) => source === place.source)
      if (!places.some((one) => JSON.stringify(one) === JSON.stringify(place)))
        await this.#context.restate(caller, [id], (episode) => withPlaces(episode, place.source, [...places, place]))
    }
    for (const relation of relations) await link(this.#context, id, relation, true, caller)
    return (await this.get(id))!
  }

  async ingest(
    document: string | Uint8Array | ParsedDocument,
    options: IngestOptions,
    caller: Caller,
  ): Promise<IngestReport> {
    const { limits, states } = this.#context
    checkIngest(options, limits)
    const { source } = options
    const { hash, parse } = this.#reading(document, options)
    if (states.storedOf(source)?.hash === hash) return unchanged(this.#context, source)
    return ingest(this.#context, await parse(), hash, options, caller)
  }

  async get(id: EntryId): Promise<Entry | undefined> {
    checkId('id', id, this.#context.limits)
    const slot = this.#context.indexes.catalog.slot(id)
    return slot === undefined ? undefined : (await entriesOf(this.#context, [slot]))[0]
  }

  async children(id: EntryId): Promise<Entry[]> {
    const { limits, indexes, clock } = this.#context
    checkId('id', id, limits)
    return entriesOf(this.#context, childSlots(indexes, id, clock()))
  }

  async pathOf(id: EntryId): Promise<Entry[]> {
    const { limits, indexes } = this.#context
    checkId('id', id, limits)
    return entriesOf(this.#context, pathSlots(indexes, id))
  }

  async tree(source: string): Promise<EntryTree[]> {
    checkText('source', source, this.#context.limits, 'nameBytes')
    return outlineOf(this.#context, source, this.#context.clock())
  }

  async search(query: string, options: EntrySearchOptions = {}, caller: Caller): Promise<EntryMatch[]> {
    checkSearch(query, options, this.#context.limits)
    const matches = await search(this.#context, query, options)
    // The answer does not wait for that, and does not fail with it.
    if (!caller.readOnly) this.#context.found(matches.map(({ entry }) => entry.id))
    return matches
  }

  async browse(options: BrowseOptions = {}): Promise<Entry[]> {
    checkBrowse(options, this.#context.limits)
    return browse(this.#context, options)
  }

  async update(id: EntryId, patch: EntryPatch, caller: Caller): Promise<Entry> {
    const { limits, restate } = this.#context
    checkId('id', id, limits)
    checkEntryPatch(patch, limits)
    const shown = patch.visibility === undefined && patch.expiresAt === undefined ? {} : shownOf(patch, limits)
    this.#expect('id', id)
    const { perspectives } = patch
    // As an observation has them, and what the caller does with its objects later changes nothing.
    const tags = patch.tags?.length === 0 ? null : patch.tags && [...new Set(patch.tags)]
    const metadata = patch.metadata && jsonObject('metadata', patch.metadata, FIELD_LIMITS.episode.metadata)
    const said = { ...shown, ...(perspectives && { perspectives: [...new Set(perspectives)] }) }
    await restate(
      caller,
      [id],
      ({ tags: oldTags, metadata: oldMetadata, ...episode }) => ({
        ...episode,
        ...valueOf('tags', tags, oldTags),
        ...valueOf('metadata', metadata, oldMetadata),
      }),
      Object.keys(said).length === 0 ? [] : [{ kind: 'entriesChanged', entries: [id], by: 'caller', ...said }],
    )
    return (await this.get(id))!
  }

  /** Links an entry to another, or takes that back. */
  async relate(id: EntryId, kind: string, target: EntryId, isThere: boolean, caller: Caller): Promise<void> {
    const { limits, states, indexes } = this.#context
    const [relation] = checkRelations([{ kind, target }], limits)
    checkId('id', id, limits)
    const slot = this.#expect('id', id)
    if (isThere) this.#expect('target', target)
    if (id === target) throw invalid('id and target are the same entry; expected two', { what: 'target' })
    const isLinked = states.isLinked(id, slot, relation)
    if (!isThere && !isLinked)
      throw new AgidbError('AGIDB_NOT_FOUND', `there is no relation ${JSON.stringify(kind)} to ${target}`, {
        id,
        target,
      })
    if (isThere !== isLinked || indexes.catalog.slot(target) === undefined)
      await link(this.#context, id, relation, isThere, caller)
  }

  /** Has an entry be seen more, or less. */
  async move(id: EntryId, step: 1 | -1, caller: Caller): Promise<Entry> {
    checkId('id', id, this.#context.limits)
    const slot = this.#expect('id', id)
    const { visibility } = this.#context.indexes.documents.shown(slot)
    const next = nextTo(visibility, step)
    if (next !== visibility) await change(this.#context, [id], { by: 'caller', visibility: next }, caller)
    return (await this.get(id))!
  }

  async setVisibility(
    which: EntryId | readonly EntryId[],
    visibility: EntryVisibility,
    options: VisibilityOptions | undefined,
    caller: Caller,
  ): Promise<void> {
    const { limits } = this.#context
    checkKeys('options', options, ['expiresAt'])
    checkText('visibility', visibility, limits, 'nameBytes')
    const ids = typeof which === 'string' ? [which] : checkList('ids', which, limits, { items: 100_000 })
    const shown = shownOf({ visibility, expiresAt: options?.expiresAt }, limits)
    for (const id of ids) {
      checkId('id', id, limits)
      this.#expect('id', id)
    }
    if (ids.length > 0) await change(this.#context, ids, { by: 'caller', ...shown }, caller)
  }

  async salience(id: EntryId): Promise<Salience> {
    checkId('id', id, this.#context.limits)
    return this.#context.states.salienceOf(id, this.#expect('id', id), this.#context.clock())
  }

  async configureAging(given: Partial<AgingConfig> | undefined, caller: Caller): Promise<AgingConfig> {
    const { states, limits, learn } = this.#context
    if (given === undefined) return states.aging
    const config = toAging(states.aging, given, limits)
    await learn(caller, () => ({ events: [{ kind: 'agingConfigured', ...config }], result: () => undefined }))
    return config
  }

  age(caller: Caller): Promise<AgingReport> {
    return age(this.#context, caller)
  }

  async identity(): Promise<Identity> {
    return identityOf(this.#context)
  }

  async priming(options: PrimingOptions = {}): Promise<Priming> {
    checkKeys('priming', options, ['budgetTokens'])
    const { budgetTokens = 1_000 } = options
    checkWhole('budgetTokens', budgetTokens, 1, 1_000_000)
    return primingOf(await identityOf(this.#context), budgetTokens)
  }

  async perspectives(): Promise<Perspective[]> {
    return this.#context.states.perspectives()
  }

  async definePerspective(perspective: string, hint: string, caller: Caller): Promise<void> {
    const { limits, learn } = this.#context
    checkText('perspective', perspective, limits, 'nameBytes')
    checkText('hint', hint, limits, 'cueBytes')
    if (BUILT_IN.some(({ id }) => id === perspective))
      throw invalid(`${JSON.stringify(perspective)} is a built-in perspective; choose another name`, { perspective })
    await learn(caller, () => ({
      events: [{ kind: 'perspectiveDefined', perspective, hint }],
      result: () => undefined,
    }))
  }

  async removePerspective(perspective: string, caller: Caller): Promise<void> {
    const { limits, learn, states } = this.#context
    checkText('perspective', perspective, limits, 'nameBytes')
    if (!states.perspectives().some(({ id, isBuiltIn }) => id === perspective && !isBuiltIn))
      throw new AgidbError('AGIDB_NOT_FOUND', `there is no perspective ${JSON.stringify(perspective)} of your own`, {
        perspective,
      })
    await learn(caller, () => ({ events: [{ kind: 'perspectiveRemoved', perspective }], result: () => undefined }))
  }

  /** What can be thought without a model. */
  async think(action: ThinkAction = 'status', caller: Caller): Promise<ThinkAnswers[ThinkAction]> {
    checkChoice('action', action, THINK_ACTIONS)
    if (action === 'discover') return discover(this.#context)
    if (action === 'status') return statusOf(this.#context)
    return action === 'history' ? historyOf(this.#context) : consolidate(this.#context, caller)
  }

  async reflection(): Promise<Reflection> {
    return reflectionOf(this.#context)
  }

  /** Writes what a model answered to a reflection, all or nothing. */
  async reflect(answer: string, ids: readonly EntryId[], caller: Caller): Promise<ThinkReport> {
    const { limits } = this.#context
    for (const [i, id] of checkList('ids', ids, limits, { items: 10_000 }).entries()) checkId(`ids[${i}]`, id, limits)
    return write(this.#context, 'reflect', entriesOfAnswer(this.#context, answer, ids), caller)
  }

  async suggestPerspectives(id: EntryId): Promise<SuggestedPerspective[]> {
    checkId('id', id, this.#context.limits)
    return suggestedFor(this.#context, id, this.#expect('id', id))
  }

  async remove(
    which: EntryId | readonly EntryId[] | { readonly source: string },
    reason: string,
    caller: Caller,
  ): Promise<UnlearnReport> {
    const { limits, forget } = this.#context
    if (typeof which === 'string' || Array.isArray(which)) {
      const ids = typeof which === 'string' ? [which] : checkList('ids', which, limits, { items: 100_000 })
      for (const id of ids) {
        checkId('id', id, limits)
        this.#expect('id', id)
      }
      return this.#forgetAndSummarize(ids, reason, caller)
    }
    const { source } = (which ?? {}) as { readonly source: string }
    if (source === undefined) throw invalid('expected an id, a list of ids or { source }', { what: 'which' })
    checkName('source', source, limits)
    const { catalog, documents } = this.#context.indexes
    await leaveDocuments(this.#context, [source], caller)
    return forget(
      documents.ofSource(source).map((slot) => catalog.id(slot)!),
      reason,
      caller,
    )
  }

  /** Forgets entries with the summaries that rest on them, and makes those anew that still have something to tell. */
  async #forgetAndSummarize(ids: readonly EntryId[], reason: string, caller: Caller): Promise<UnlearnReport> {
    const { forget, indexes } = this.#context
    const sources = new Set<string>()
    for (const id of ids)
      for (const { source } of indexes.documents.facet(indexes.catalog.slot(id)!)!.places) sources.add(source)
    const report = await forget(ids, reason, caller)
    try {
      for (const source of [...sources].sort()) await summarize(this.#context, source, caller)
    } catch (error) {
      // They are forgotten all the same; the summaries are made when the document is stored changed.
      if (!(error instanceof AgidbError) || error.code !== 'AGIDB_SUMMARIZER') throw error
    }
    return report
  }

  /** How a document is read, and what tells whether it was read before. */
  #reading(
    document: string | Uint8Array | ParsedDocument,
    { source, parser }: IngestOptions,
  ): { readonly hash: string; readonly parse: () => Promise<ParsedDocument> } {
    if (typeof document === 'string' || document instanceof Uint8Array) {
      const format = formatOf(source, parser, typeof document === 'string' ? document.slice(0, 1_000) : '')
      const hash = `${hashOf(document)}/${format}`
      return { hash, parse: async () => (await this.#parser(format)).parse(document, source) }
    }
    if (typeof document !== 'object' || document === null)
      throw invalid('document must be a text, bytes, or what a parser made of one', { what: 'document' })
    if (parser !== undefined)
      throw invalid('parser is of a text or bytes; the document is parsed already', { what: 'parser' })
    const parsed = checkParsed(document)
    return { hash: `${hashOf(JSON.stringify(parsed))}/parsed`, parse: async () => parsed }
  }

  async #parser(format: Format): Promise<DocumentParser> {
    const { parts } = this.#context
    if (format === 'markdown') return (await parts.markdown()).markdownParser
    return format === 'html' ? (await parts.html()).htmlParser : textParser
  }

  /** @throws AgidbError `AGIDB_NOT_FOUND` where there is no such entry. */
  #expect(what: string, id: EntryId): number {
    const { catalog, documents } = this.#context.indexes
    const slot = catalog.slot(id)
    if (slot === undefined || !documents.has(slot))
      throw new AgidbError('AGIDB_NOT_FOUND', `${what}: there is no entry with the id ${JSON.stringify(id)}`, { id })
    return slot
  }

  /** Where a new entry stands; `undefined` for one that stands in no document and in no section. */
  #placeOf({ parent, path, source, heading, level }: NewEntry, content: string): EntryPlace | undefined {
    const { catalog, documents } = this.#context.indexes
    if (parent === undefined && path === undefined && source === undefined && heading === undefined) return undefined
    if (parent !== undefined) {
      this.#expect('parent', parent)
      if (isWithin(this.#context.indexes, parent, entryIdOf(content)))
        throw invalid(`parent: the entry ${parent} is the content itself, or is in it; give an entry that is not`, {
          what: 'parent',
          id: parent,
        })
    }
    const above = parent === undefined ? undefined : documents.facet(catalog.slot(parent)!)!.places[0]
    const headings = path ?? [...(above?.path ?? []), ...(above?.heading === undefined ? [] : [above.heading])]
    return {
      source: source ?? above?.source ?? NOTES,
      path: headings,
      ...(parent !== undefined && { parent }),
      ...(heading !== undefined && { heading }),
      level: level ?? CONTENT_LEVEL,
      start: 0,
      end: content.length,
    }
  }
}

/** The document of what is added beside documents, under headings of its own. */
const NOTES = 'notes'

function observationOf(id: EntryId, text: string, { source, at, tags, metadata }: NewEntry): Observation {
  return {
    id,
    text,
    ...(source !== undefined && { source }),
    ...(at !== undefined && { at }),
    ...(tags !== undefined && { tags }),
    ...(metadata !== undefined && { metadata }),
  }
}

/** A field after a patch: `undefined` leaves it, `null` takes it away. */
function valueOf<T>(name: string, patch: T | null | undefined, before: T | undefined): Record<string, T> {
  const value = patch === undefined ? before : (patch ?? undefined)
  return value === undefined ? {} : { [name]: value }
}
