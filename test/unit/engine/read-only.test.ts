import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { methodAt } from '../../../src/api/method-path.js'
import { changes, METHODS, type Method } from '../../../src/api/registry.js'
import type { Agidb as Memory } from '../../../src/api/agidb.js'
import { Agidb } from '../../../src/runtimes/node/index.js'
import { Disk } from '../rpc/tabs/disk.js'
import { Origin } from '../rpc/tabs/origin.js'
import { openTab } from '../rpc/tabs/tab.js'
import { withFolder } from './open.js'

/** A call of each method that would have its effect, or be refused for another reason than that it writes. */
const CALLS: { readonly [M in Method]: readonly unknown[] } = {
  observe: ['x'],
  observeMany: [[{ text: 'x' }]],
  getEpisode: ['first'],
  update: ['first', { text: 'y' }],
  count: [],
  history: ['first'],
  supersede: ['first', 'second'],
  recall: ['Sarah', { traceAttention: true }],
  explain: ['rc_x'],
  attentionTrace: ['rc_x'],
  stats: [],
  flush: [],
  close: [],
  observeMultimodal: [{ text: 'x' }],
  media: ['first'],
  listMedia: ['first'],
  observeSensory: [{ modality: 'text', text: 'x' }],
  workingState: [],
  surpriseScore: [{ modality: 'text', text: 'x' }],
  surpriseScoreBrainCalibrated: [{ modality: 'text', text: 'x' }],
  workingMemory: ['s'],
  consolidate: [],
  semanticAtoms: [],
  learnProcedure: [{ name: 'n', trigger: 't', steps: ['s'] }],
  proceduresFor: ['t'],
  recordExecution: ['pr_x', { success: true }],
  getProcedure: ['pr_x'],
  procedures: [],
  reviseProcedure: ['pr_x', { trigger: 't' }],
  retireProcedure: ['pr_x', 'r'],
  setGoal: [{ description: 'g' }],
  reviseGoal: ['go_x', { description: 'h' }],
  pauseGoal: ['go_x', 'r'],
  resumeGoal: ['go_x', 'r'],
  completeGoal: ['go_x', []],
  abandonGoal: ['go_x', 'r'],
  goals: [],
  activeGoals: [],
  goalTree: ['go_x'],
  getGoal: ['go_x'],
  assertBelief: [{ claim: 'c' }],
  reviseBelief: ['be_x', 'first'],
  reviseBeliefs: ['first'],
  whatDoIBelieve: ['Sarah'],
  beliefHistory: ['be_x'],
  withdrawBelief: ['be_x', 'r'],
  getBelief: ['be_x'],
  concepts: [],
  concept: ['Sarah'],
  alias: ['Sarah', 'Sally'],
  split: ['Sarah', ['Sally']],
  beliefCandidates: [],
  conflicts: [],
  export: [],
  import: [new Uint8Array(1), { replace: true }],
  versionVector: [],
  changes: [],
  apply: [new Uint8Array(1)],
  compact: [],
  verify: [],
  whatDidILearn: [0],
  selfVector: [],
  selfVectorAt: [0],
  selfSimilarity: ['tea'],
  introspect: ['who'],
  unlearn: [{ episode: 'first' }, 'r'],
  remove: ['first'],
  unlearnReport: ['au_x'],
  unlearnHistory: [0],
  restoreWithinWindow: ['au_x'],
  expire: [],
  neurosymbolicQuery: [{ fuzzyCue: 'Sarah' }],
  tripleToSignature: [{ subject: 'Sarah', predicate: 'recommends', object: 'Bawri' }],
  signatureToTriples: [new Uint8Array(1024)],
  cueToPartialSignature: ['Sarah'],
  beliefToSignature: [{ claim: 'c' }],
  signatureToBelief: [new Uint8Array(1024)],
  signatureToModality: [new Uint8Array(1024), 'text'],
  extractModalitySignature: ['first', 'text'],
  episodeToSignature: ['first'],
  signatureToEpisode: [new Uint8Array(1024)],
  analogy: ['Sarah', 'Bawri', 'Tom'],
  'graph.neighbours': ['first'],
  'graph.activate': [['first']],
  'graph.timeline': ['first'],
  'graph.entities': [],
  'graph.entity': ['Sarah'],
  'graph.relations': [],
  'graph.paths': ['first', 'second'],
  'graph.strengthen': ['first', 'second'],
  'graph.relate': ['Sarah', 'knows', 'Tom'],
  'graph.forgetEdge': [{ from: 'Sarah', to: 'Tom' }],
  'graph.export': ['json'],
  'entries.add': ['a note'],
  'entries.ingest': [{ text: 'a', pieces: [{ level: 7, start: 0, end: 1 }] }, { source: 'a.md' }],
  'entries.get': ['x'],
  'entries.children': ['x'],
  'entries.pathOf': ['x'],
  'entries.tree': ['a.md'],
  'entries.sources': [],
  'entries.search': ['a'],
  'entries.browse': [],
  'entries.relate': ['x', 'related_to', 'y'],
  'entries.unrelate': ['x', 'related_to', 'y'],
  'entries.promote': ['x'],
  'entries.demote': ['x'],
  'entries.setVisibility': ['x', 'always'],
  'entries.salience': ['x'],
  'entries.aging.configure': [{ degradeAfterDays: 1 }],
  'entries.aging.apply': [],
  'entries.identity': [],
  'entries.priming': [],
  'entries.perspectives': [],
  'entries.definePerspective': ['p', 'h'],
  'entries.removePerspective': ['p'],
  'entries.suggestPerspectives': ['x'],
  'entries.think': ['consolidate'],
  'entries.reflection': [],
  'entries.reflect': ['{}', []],
  'entries.update': ['x', {}],
  'entries.remove': ['x'],
  'graph.stats': [],
}

const NAMES = (Object.keys(METHODS) as Method[]).filter((method) => method !== 'close' && Object.hasOwn(CALLS, method))

/** The code with which a call is refused; `undefined` if it is not. */
async function refusal(db: Memory, method: Method, args: readonly unknown[]): Promise<string | undefined> {
  try {
    const answer = await methodAt<(...args: readonly unknown[]) => Promise<unknown>>(db, method)(...args)
    if (method.endsWith('export')) await (answer as ReadableStream<Uint8Array>).cancel()
    return undefined
  } catch (error) {
    return (error as { readonly code: string }).code
  }
}

async function expectRefusals(db: Memory): Promise<void> {
  for (const method of NAMES) {
    const refused = (await refusal(db, method, CALLS[method])) === 'AGIDB_READ_ONLY'
    expect([method, refused]).toEqual([method, changes(method, CALLS[method])])
  }
  for (const action of ['discover', 'status', 'history'])
    expect(await refusal(db, 'entries.think', [action])).toBeUndefined()
  expect(await refusal(db, 'entries.aging.configure', [])).toBeUndefined()
  expect(await refusal(db, 'unlearn', [{ episode: 'first' }, 'r', { dryRun: true }])).toBeUndefined()
  expect(await refusal(db, 'unlearn', [{ episode: 'first' }, 'r', { dryRun: false }])).toBe('AGIDB_READ_ONLY')
  expect(await refusal(db, 'unlearn', [{ episode: 'none' }, 'r', { dryRun: true }])).toBe('AGIDB_NOT_FOUND')
  expect(await refusal(db, 'verify', [{ repair: true }])).toBe('AGIDB_READ_ONLY')
  expect(await refusal(db, 'verify', [{ repair: false }])).toBeUndefined()
  expect(await refusal(db, 'verify', [{ repair: 'yes' }])).toBe('AGIDB_INVALID_ARGUMENT')
}

test('a folder that was opened to be read: every method that writes is refused, and not a byte changes', async () => {
  await withFolder(async (path) => {
    const db = await Agidb.open({ extract: 'none', path, codebook: 'none' })
    await db.observe('Sarah recommended Bawri.', { id: 'first' })
    await db.observe('Sarah recommended the other one.', { id: 'second' })
    await db.close()
    const bytes = () =>
      Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name)).toString('base64')]))
    const before = bytes()
    const reader = await Agidb.open({ extract: 'none', path, readOnly: true, codebook: 'none' })
    await expectRefusals(reader)
    await reader.close()
    expect(bytes()).toEqual(before)
  })
})

describe('a tab that was opened to be read', () => {
  const opened: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const db of opened.splice(0)) await db.close()
  })

  test.each(['as the owner', 'beside one'])('%s: every method that writes is refused', async (role) => {
    const [origin, disk] = [new Origin(), new Disk()]
    const writer = await openTab(origin, disk)
    await writer.db.observe('Sarah recommended Bawri.', { id: 'first' })
    await writer.db.observe('Sarah recommended the other one.', { id: 'second' })
    if (role === 'as the owner') await writer.db.close()
    else opened.push(writer.db)
    const reader = await openTab(origin, disk, { readOnly: true })
    opened.unshift(reader.db)
    const rows = new Map(disk.rows)
    await expectRefusals(reader.db)
    expect(disk.rows).toEqual(rows)
  })
})

test('what a call would do stands in its method, and for some in their arguments', () => {
  for (const method of NAMES)
    if (typeof METHODS[method].effect === 'string')
      expect([method, changes(method, [])]).toEqual([method, METHODS[method].effect === 'writes'])
  expect(['discover', 'consolidate', 1].map((action) => changes('entries.think', [action]))).toEqual([
    false,
    true,
    false,
  ])
  expect([undefined, {}].map((config) => changes('entries.aging.configure', [config]))).toEqual([false, true])
  expect(
    [undefined, {}, { repair: false }, null, { repair: true }].map((options) => changes('verify', [options])),
  ).toEqual([false, false, false, false, true])
  expect(
    [undefined, null, {}, { dryRun: false }, { dryRun: true }].map((options) => changes('unlearn', [{}, 'r', options])),
  ).toEqual([true, true, true, true, false])
})
