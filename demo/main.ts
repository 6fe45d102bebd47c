import { Agidb, AgidbError, type Episode, type Match, type Recall } from '../src/runtimes/browser/index.js'
import { cards } from './cards.js'
import { isDocument, readDocument } from './documents/read.js'
import { byId, element } from './element.js'
import { count, counted, milliseconds, sentence } from './format.js'
import { APOLLO_13, APOLLO_13_UTTERANCES, apolloSource, fileSource, load, type Source } from './load.js'
import { Mind } from './mind/mind.js'
import type { Neighbourhood } from './neighbourhood/dialog.js'
import { Like } from './take/like.js'
import { audio, image } from './take/senses.js'
import { isMedium } from './take/kinds.js'
import { takeLaunches, takeShared } from './take/handed.js'
import { restoreDrafts } from './offline/drafts.js'
import { offerInstall } from './offline/install.js'
import { Views } from './views.js'
import { personDecides } from './mind/verdict.js'
import { HERE } from './mind/here.js'
import { clearProblem, showProblem } from './problem.js'
import { installOffline, showCount, showState } from './state.js'
import { survey } from './survey.js'
import { Timeline } from './timeline.js'

const EXAMPLES = [
  'Did Houston ask them to stir the cryo tanks?',
  "Houston, we've had a problem",
  'Who saw something venting into space?',
  'How do we put the plastic bag and tape around the canister?',
  'How cold was it in the cabin?',
  'When did they say farewell to Aquarius?',
]

/** Changes of another tab that the page shows. */
const FROM_ELSEWHERE: ReadonlySet<string> = new Set([
  'episodeStored',
  'episodeRemoved',
  'unlearned',
  'restored',
  'memoryImported',
  'changesApplied',
])
/** How long no other change may come before the page shows them, milliseconds. */
const QUIET_MS = 500

const form = byId('ask', HTMLFormElement)
const cue = byId('cue', HTMLInputElement)
const examples = byId('examples', HTMLElement)
const summary = byId('summary', HTMLElement)
const matches = byId('matches', HTMLElement)
const apollo = byId('apollo', HTMLElement)
const loadApollo = byId('load-apollo', HTMLButtonElement)
const loadSection = byId('load', HTMLElement)
const drop = byId('drop', HTMLLabelElement)
const file = byId('file', HTMLInputElement)
const likeInput = byId('like', HTMLInputElement)
const timeline = new Timeline()

void start()

async function start(): Promise<void> {
  clearProblem()
  summary.textContent = 'Opening the memory.'
  try {
    const db = await Agidb.open({
      name: 'demo',
      writer: 'demo',
      extract: 'rules',
      decideRevision: personDecides,
      encoders: { image, audio },
    })
    summary.textContent = ''
    run(db)
  } catch (error) {
    summary.textContent = ''
    showProblem(error, { label: 'Try again', run: () => void start() })
  }
}

function run(db: Agidb): void {
  const controls = [cue, form.querySelector('button')!, likeInput, loadApollo, file]
  const busy = (is: boolean) => [loadApollo, file].forEach((control) => (control.disabled = is))
  controls.forEach((control) => (control.disabled = false))

  let asking = new AbortController()
  const ask = async (question: string) => {
    asking.abort() // the last question, if it still waits
    asking = new AbortController()
    const { signal } = asking
    clearProblem()
    matches.setAttribute('aria-busy', 'true')
    try {
      const recall = await db.recall(like.isSet && question === '' ? undefined : question, { ...like.cue, signal })
      show(question, recall, (await db.stats()).episodes)
      await mind.answered({ cue: question, recall })
    } catch (error) {
      if (!signal.aborted) report(error)
    } finally {
      if (!signal.aborted) matches.removeAttribute('aria-busy')
    }
  }

  const show = (question: string, recall: Recall, of: number) => {
    summary.textContent = summarise(recall, of)
    matches.replaceChildren(
      ...cards(question, recall.matches, {
        following: ({ id, session }) => first(db.episodes({ after: id, limit: 4, session })),
        about: (name) => {
          views.show('mind')
          void mind.about(name).catch(report)
        },
        media: async (match) =>
          (await import('./take/media.js')).keptMedia(db, match, {
            changed: () => void ask(cue.value).catch(report),
            like: (medium) => {
              like.set(medium)
              cue.value = ''
              void ask('').catch(report)
            },
          }),
        near: (match) => void near(match).catch(report),
        forget: (match) => {
          views.show('mind')
          void mind.forget(match).catch(report)
        },
      }),
    )
    timeline.show(recall.matches)
  }

  const said = (error?: unknown) => (error === undefined ? clearProblem() : report(error))
  let chat: Promise<unknown> | undefined
  const views = new Views((name) => {
    if (name !== 'chat') return
    chat ??= import('./chat/panel.js').then(({ openChat }) => openChat(db, said, () => void look().catch(report)))
    chat.catch((error) => {
      chat = undefined // the next one tries again
      report(error)
    })
  })

  let neighbourhood: Promise<Neighbourhood> | undefined
  /** What draws it is as large as the rest of the page, so it is loaded when it is asked for. */
  const near = async (match: Match) => {
    clearProblem()
    neighbourhood ??= import('./neighbourhood/dialog.js').then(({ Neighbourhood }) => new Neighbourhood(db, report))
    neighbourhood.catch(() => (neighbourhood = undefined)) // the next one tries again
    await (await neighbourhood).open(match)
  }

  let surveying = new AbortController()
  /** Brings all that depends on what the memory holds up to date, the quick parts first. A later call takes over. */
  const look = async () => {
    surveying.abort()
    surveying = new AbortController()
    const { signal } = surveying
    const stats = await db.stats()
    const apolloIsThere = (await first(db.episodes({ source: APOLLO_13, limit: 1 }))).length > 0
    if (signal.aborted) return
    timeline.hidden = stats.episodes < 2
    await mind.show()
    apollo.hidden = stats.episodes > 0 // until it is known how much of it is there
    examples.hidden = !apolloIsThere
    const times: number[] = []
    const fresh = timeline.empty
    let voices = 0
    for await (const part of survey(db, APOLLO_13, HERE, signal)) {
      times.push(...part.times)
      voices += part.fromSource
      if (fresh) timeline.add(part.times)
    }
    if (signal.aborted) return
    timeline.set(times)
    apollo.hidden = voices >= APOLLO_13_UTTERANCES
    loadApollo.textContent = voices === 0 ? 'Load Apollo 13' : 'Go on with Apollo 13'
  }

  /** Resolves to whether all went well. */
  const take = async (sources: readonly (() => Promise<Source | File>)[]): Promise<boolean> => {
    surveying.abort()
    clearProblem()
    busy(true)
    try {
      for (const source of sources) {
        const before = (await db.stats()).episodes
        const taken = await source()
        if (taken instanceof File) {
          if (isMedium(taken)) {
            await (await import('./take/media.js')).rememberMedium(db, taken)
            summary.textContent = `${taken.name} is remembered, by its name. Give it a caption in its card. Ask away.`
            continue
          }
          const { added } = await readDocument(db, taken)
          summary.textContent = `${counted(added, 'new entry', 'new entries')} from ${taken.name}. Ask away.`
          continue
        }
        const { name } = taken
        const { remembered, known } = await load(db, taken, (read, sofar) => {
          timeline.add(read.flatMap(({ at }) => (at === undefined ? [] : [Number(new Date(at))])))
          showCount(sofar.remembered + before)
        })
        summary.textContent =
          `${counted(remembered, 'new memory', 'new memories')} from ` +
          `${name}.${known > 0 ? ` ${count(known)} were there already.` : ''} Ask away.`
      }
      if (views.shown === 'ask') cue.focus()
      return true
    } catch (error) {
      report(error)
      return false
    } finally {
      busy(false)
      await look().catch(report)
    }
  }

  const report = (error: unknown) => {
    if (error instanceof AgidbError && error.code === 'AGIDB_ABORTED') {
      summary.textContent = sentence(error.message)
      return
    }
    const lost = error instanceof AgidbError && (error.code === 'AGIDB_WORKER' || error.code === 'AGIDB_CLOSED')
    showProblem(error, lost ? { label: 'Open again', run: () => location.reload() } : undefined)
  }

  /** Brings up to date what is shown, the answer too, which may show what was forgotten. */
  const refresh = async () => {
    if (mind.answer !== undefined) await ask(mind.answer.cue)
    void look().catch(report)
  }
  let refreshing: ReturnType<typeof setTimeout> | undefined
  /** Whether the answer may show what is gone. */
  let isStale = false
  db.subscribe(({ kind, own }) => {
    if (kind === 'codebookReady') void db.stats().then(showState).catch(report)
    if (own || !FROM_ELSEWHERE.has(kind)) return
    isStale ||= kind !== 'episodeStored'
    clearTimeout(refreshing)
    refreshing = setTimeout(() => {
      void (isStale ? refresh() : look()).catch(report)
      isStale = false
    }, QUIET_MS)
  })

  const mind = new Mind(
    db,
    said,
    (stats) => {
      showState(stats)
      welcome(stats.episodes === 0)
    },
    refresh,
  )

  const like = new Like(() => (like.isSet || cue.value !== '') && void ask(cue.value), report)

  byId('bearing', HTMLElement).addEventListener('click', () => views.show('mind'))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void ask(cue.value)
  })
  examples.replaceChildren(
    ...EXAMPLES.map((question) => {
      const button = element('button', { type: 'button' }, question)
      button.addEventListener('click', () => {
        cue.value = question
        like.set(undefined)
        void ask(question)
      })
      return element('li', {}, button)
    }),
  )
  loadApollo.addEventListener('click', () => void take([apolloSource]))
  const inspector = () =>
    import('./inspector.js').then(({ inspect }) => inspect(db, () => void refresh().catch(report)), report)
  byId('inspect', HTMLButtonElement).addEventListener('click', () => void inspector())
  file.addEventListener('change', () => void take(filesOf(file.files)).then(() => (file.value = '')))
  acceptDrops((files) => void take(filesOf(files)))
  takeLaunches((files) => void take(filesOf(files)))
  void takeShared(async ({ files, texts }) => {
    try {
      for (const text of texts) await db.observe(text, { source: 'shared' })
      if (texts.length > 0) summary.textContent = 'What was shared is remembered. Ask away.'
    } catch (error) {
      report(error)
      return false
    }
    if (files.length > 0) return take(filesOf(files))
    await look()
    return true
  }).catch(report)
  restoreDrafts()

  void look().catch(report)
}

function summarise({ matches, elapsedMs }: Recall, of: number): string {
  const [best] = matches
  const found = `${counted(matches.length, 'memory', 'memories')} of ${count(of)}, in ${milliseconds(elapsedMs)}.`
  if (best === undefined) return 'There is nothing to recall yet: load a transcript first.'
  return best.lowConfidence ? `${found} None of them fits well; these are the nearest.` : found
}

/** An empty memory shows what to load in place of the question; a filled one beside it. */
function welcome(empty: boolean): void {
  document.body.classList.toggle('empty', empty)
  const place = empty ? byId('view-ask', HTMLElement) : byId('view-memory', HTMLElement)
  if (loadSection.parentElement !== place) place.prepend(loadSection)
  loadSection.hidden = false
}

/** The first page, or an empty one. */
async function first(pages: AsyncIterable<readonly Episode[]>): Promise<readonly Episode[]> {
  for await (const page of pages) return page
  return []
}

function filesOf(files: Iterable<File> | ArrayLike<File> | null): (() => Promise<Source | File>)[] {
  return Array.from(
    files ?? [],
    (chosen) => async () => (isDocument(chosen) || isMedium(chosen) ? chosen : fileSource(chosen)),
  )
}

function acceptDrops(take: (files: FileList) => void): void {
  document.addEventListener('dragover', (event) => {
    event.preventDefault()
    drop.classList.add('over')
  })
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) drop.classList.remove('over')
  })
  document.addEventListener('drop', (event) => {
    event.preventDefault()
    drop.classList.remove('over')
    if (event.dataTransfer !== null && !file.disabled) take(event.dataTransfer.files)
  })
}

for (const kind of ['pointerover', 'focusin'] as const) {
  matches.addEventListener(kind, (event) =>
    timeline.point((event.target as Element).closest<HTMLElement>('.card')?.dataset['id']),
  )
}

offerInstall()
void installOffline()
