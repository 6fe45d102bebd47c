import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { colourLayout, glove } from '../../toys/senses.js'
import { kernel } from '../../encoding/kernel.js'
import { holds } from '../../../bytes/forms.js'
import { Agidb } from '../../../../src/runtimes/node/index.js'

const DAY = 86_400_000
/** What is told, each marker in another part of the memory. */
const MARKERS = [
  ...['TEXT', 'ID', 'SESSION', 'SPEAKER', 'SOURCE', 'TAG', 'KEY', 'VALUE', 'SUBJECT', 'OBJECT'],
  ...['VERSION', 'ATOM', 'CLAIM', 'CUE', 'FRAME', 'PART'],
].map((part) => `MARKER${part}`)

let folder: string
let now: number

beforeEach(async () => {
  now = Date.parse('2026-05-01T12:00:00Z')
  folder = await mkdtemp(join(tmpdir(), 'agidb-files-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** What a picture was encoded as. */
const LATENT = Float32Array.from({ length: colourLayout.dimension }, (_, i) => Math.sin(i + 1))
/** What was felt with it, a modality of the application's own. */
const FELT = Float32Array.from({ length: glove.dimension }, (_, i) => Math.cos(i + 1))

/** The markers that stand in a file of the folder, in any form. */
function found(): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.agidb'))
  const bytes = files.map((name) => readFileSync(join(folder, name)))
  const perceived = {
    latent: LATENT,
    felt: FELT,
    'signature of the latent': kernel.project(LATENT),
    'signature of what was felt': kernel.project(FELT),
  }
  const there = Object.entries(perceived).filter(([, { buffer, byteOffset, byteLength }]) => {
    return bytes.some((file) => file.includes(Buffer.from(buffer, byteOffset, byteLength)))
  })
  return [...MARKERS.filter((marker) => bytes.some((file) => holds(file, marker))), ...there.map(([name]) => name)]
}

test.each([0, 30])('after a window of %i days no byte of what was forgotten is in a file', async (tombstoneDays) => {
  const options = { extract: 'none', codebook: 'none', encoders: { image: colourLayout, touch: glove } } as const
  const db = await Agidb.open({ ...options, path: folder, tombstoneDays, clock: () => now })
  const told = { session: 'MARKERSESSION', source: 'MARKERSOURCE', speaker: 'MARKERSPEAKER' }
  const statement = { subject: 'MARKERSUBJECT', predicate: 'moved to', object: 'MARKEROBJECT' }
  const attributes = { tags: ['MARKERTAG'], metadata: { MARKERKEY: 'MARKERVALUE' } }
  const id = await db.observe('The dentist moved to MARKERVERSION Road.', {
    id: 'MARKERID',
    ...told,
    ...attributes,
    triples: [statement],
  })
  await db.update(id, { text: 'The dentist moved to MARKERTEXT Road.' })
  for (let i = 0; i < 3; i++) await db.observe('The shop of MARKERATOM opens at nine every day.', told)
  await db.observe('The dog chased a ball.', { id: 'dog', session: 'another' })
  await db.consolidate()
  await db.assertBelief({ claim: 'MARKERCLAIM is the address', confidence: 0.9, evidence: [id] })
  await db.completeGoal(await db.setGoal({ description: 'find the dentist' }), [id])
  await db.recall('MARKERCUE and the dentist', { traceAttention: true })
  await db.observeSensory({ modality: 'text', text: 'MARKERFRAME stands at the gate.', session: 'MARKERSESSION' })
  await db.observeSensory({
    modality: 'multimodal',
    text: 'MARKERPART barks at the gate.',
    latents: { image: LATENT, touch: FELT },
    session: 'MARKERSESSION',
  })
  await db.flush()
  const signatures = ['signature of the latent', 'signature of what was felt']
  expect(found()).toEqual([...MARKERS, 'latent', 'felt', ...signatures])

  const { auditId } = await db.unlearn({ session: 'MARKERSESSION' }, 'asked for')
  now += 31 * DAY
  await db.expire()
  expect(found()).toEqual([])
  expect((await db.recall('dentist dog')).matches.map(({ id }) => id)).toEqual(['dog'])
  expect(await db.unlearnReport(auditId!)).toMatchObject({ state: 'expired', reason: 'asked for' })
  await db.close()
  expect(found()).toEqual([])
})

test.each([
  0, 30,
])('after a window of %i days no id of a forgotten goal or belief is in a file', async (tombstoneDays) => {
  const options = { extract: 'none', codebook: 'none', tombstoneDays, clock: () => now } as const
  const db = await Agidb.open({ ...options, path: folder })
  const goal = await db.setGoal({ description: 'find the dentist', session: 'plans' })
  const heard = await db.observe('The dentist moved.', { session: 'monday' })
  const evidence = [heard]
  const [told, rests, stays] = [
    await db.assertBelief({ claim: 'the dentist is at Hill Road', confidence: 0.9 }),
    await db.assertBelief({ claim: 'the dentist moved in May', confidence: 0.9, evidence }),
    await db.assertBelief({ claim: 'dogs bark', confidence: 0.9 }),
  ]
  const dog = await db.observe('The dog chased a ball.', { goal, beliefs: [told, rests, stays] })
  await db.flush()
  const left = () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.agidb'))
    const bytes = files.map((name) => readFileSync(join(folder, name)))
    return [goal, heard, told, rests, stays, dog].filter((id) => bytes.some((file) => holds(file, id)))
  }
  expect(left()).toEqual([goal, heard, told, rests, stays, dog])
  await db.unlearn({ session: 'plans' }, 'asked for')
  await db.unlearn({ belief: told }, 'asked for')
  await db.unlearn({ session: 'monday' }, 'asked for')
  now += 31 * DAY
  await db.expire()
  expect(left()).toEqual([stays, dog])
  expect(await db.getEpisode(dog)).toMatchObject({ beliefs: [stays] })
  await db.unlearn({ belief: stays }, 'asked for')
  now += 31 * DAY
  await db.expire()
  expect(left()).toEqual([dog])
  await db.close()
  expect(left()).toEqual([dog])
})
