import { cp, mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { HERE, type Database, type Library } from '../library.js'
import { floors } from './floors.js'
import { NOW, quiet } from './memory.js'
import { outcome, type Answer, type Unit } from './unit.js'

/** The passphrase of the encrypted fixture. */
const PASSPHRASE = 'correct horse battery staple'
const MAGIC = { journal: 'AGIDBJNL' }

/** Each database that the tests keep: folders, journals and exports, found by their names wherever the tests lie. */
export async function fixtures(root = join(HERE, 'test')): Promise<Unit[]> {
  const files = (await readdir(root, { recursive: true })).filter((file) => /(^|\/)fixtures\/.*\.agidb$/.test(file))
  return files.map((file) => unitOf(join(root, file))).sort((a, b) => (a.name < b.name ? -1 : 1))
}

function unitOf(file: string): Unit {
  const isFolder = basename(file) === 'journal.agidb'
  const name = isFolder ? basename(dirname(file)) : basename(file, '.agidb')
  return { name, answers: (library) => (isFolder ? opened(library, dirname(file)) : answered(library, file)) }
}

/** What a journal or an export on its own answers. */
async function* answered(library: Library, file: string): AsyncGenerator<Answer> {
  const bytes = new Uint8Array(await readFile(file))
  if (Buffer.from(bytes.subarray(0, 8)).toString('latin1') === MAGIC.journal) {
    yield* opened(library, file)
    return
  }
  const db = await library.Agidb.open({ storage: 'memory', ...FIXED, ...quiet(library) })
  try {
    yield { name: 'import', value: await outcome(db.import(bytes)) }
    yield { name: 'import sealed', value: await outcome(db.import(bytes, { passphrase: PASSPHRASE, replace: true })) }
    yield* asked(db)
  } finally {
    await db.close()
  }
}

/** What a copy of a folder, or of a folder with this journal, answers; or the code with which it is refused. */
async function* opened(library: Library, from: string): AsyncGenerator<Answer> {
  const folder = await mkdtemp(join(tmpdir(), 'agidb-fixture-'))
  const path = join(folder, 'memory.agidb')
  try {
    await mkdir(path)
    await cp(from, from.endsWith('.agidb') ? join(path, 'journal.agidb') : path, { recursive: true })
    for (const times of ['once', 'again']) {
      let db: Database | undefined
      const opening = outcome(
        library.Agidb.open({ path, ...FIXED, ...quiet(library) }).then((memory) => void (db = memory)),
      )
      yield { name: `${times}: open`, value: await opening }
      if (db === undefined) continue
      yield { name: `${times}: verify`, value: verdict(await db.verify()) }
      for await (const { name, value } of asked(db)) yield { name: `${times}: ${name}`, value }
      yield { name: `${times}: observe`, value: await outcome(db.observe('It goes on.', { id: `new ${times}` })) }
      await db.close()
      yield { name: `${times}: journal`, value: new Uint8Array(await readFile(join(path, 'journal.agidb'))) }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const FIXED = { clock: () => NOW, seed: 1, shards: 0 }

async function* asked(db: Database): AsyncGenerator<Answer> {
  const ids = async (list: Promise<readonly { readonly id: string }[]>) => (await list).map(({ id }) => id)
  const learned = await db.whatDidILearn(0)
  const all = await floors(db, {
    goals: await ids(db.goals()),
    procedures: await ids(db.procedures({ state: 'all' })),
    episodes: [],
    frames: [],
    beliefs: learned.flatMap((event) => (event.kind === 'beliefAsserted' ? [event.belief] : [])),
    sessions: ['s1', 's2'],
    concepts: ['Bawri', 'Sarah', 'Tom'],
    times: learned.map(({ at }) => Date.parse(at)),
  })
  for (const [name, value] of Object.entries(all)) yield { name, value }
}

/** What `verify` found, without the sentences for people. */
function verdict({ ok, problems, checked }: Awaited<ReturnType<Database['verify']>>): unknown {
  return { ok, checked, problems: problems.map(({ code, count }) => ({ code, count })) }
}
