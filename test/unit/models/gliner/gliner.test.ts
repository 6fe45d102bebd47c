import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Extractor } from '../../../../src/api/extractor.js'
import { gliner, type GlinerOptions } from '../../../../src/models/gliner/node.js'
import { openMemory } from '../../engine/open.js'

const path = (file: string) => fileURLToPath(new URL(`fixtures/${file}`, import.meta.url))
const FILES = {
  model: path('token/model.onnx'),
  tokenizer: path('token/tokenizer.json'),
  config: path('token/gliner_config.json'),
}
/** In this thread: that of a worker needs the built package. */
const open = (more: Partial<GlinerOptions> = {}) => gliner({ ...FILES, worker: false, ...more })
const context = { at: '2026-05-01T00:00:00.000Z' }
const LONG = Array.from({ length: 12 }, (_, i) => `Tom works at Initech number ${i} in Lisbon.`).join(' ')

describe('an extractor of a GLiNER model', () => {
  let extractor: Extractor
  beforeAll(async () => {
    extractor = await open({ threshold: 0.4, relations: ['works at'], relationThreshold: 0.3 })
  })
  afterAll(() => extractor.close?.())

  test('has a name, and a version that changes with what it looks for', async () => {
    expect(extractor.id).toBe('gliner')
    const again = await open({ threshold: 0.4, relations: ['works at'], relationThreshold: 0.3 })
    const other = await open({ labels: ['animal'] })
    expect(again.version).toBe(extractor.version)
    expect(other.version).not.toBe(extractor.version)
    for (const one of [again, other]) await one.close?.()
  })

  test('finds entities whose offsets slice a text that is longer than the model reads at once', async () => {
    const entitiesAlone = await open({ threshold: 0.4 })
    const [{ entities, ...others }, nothing] = await entitiesAlone.extract([LONG, '  '], [context, context])
    await entitiesAlone.close?.()
    expect(entities.length).toBeGreaterThan(0)
    for (const { text, type, from, to } of entities) {
      expect(text).toBe(LONG.slice(from, to))
      expect(['person', 'place', 'organisation', 'date']).toContain(type)
    }
    expect(Math.max(...entities.map(({ to }) => to))).toBeGreaterThan(LONG.length / 2)
    expect([others, nothing]).toEqual([
      { triples: [], times: [] },
      { entities: [], triples: [], times: [] },
    ])
  })

  test('finds statements between entities, whose objects stand in the text', async () => {
    const text = 'Tom works at Initech.'
    const [{ entities, triples }] = await extractor.extract([text], [context])
    const named = new Set(entities.map(({ text }) => text))
    for (const { subject, predicate, object, span } of triples) {
      expect(named).toContain(subject)
      expect(predicate).toBe('works at')
      expect(text.slice(span.from, span.to)).toContain(object)
      expect(text.slice(span.from, span.to)).toContain(subject)
    }
  })

  test('reads each text as if it were alone', async () => {
    const texts = ['Sarah recommended Bawri.', 'Tom moved to Graz.']
    const together = await extractor.extract(texts, [context, context])
    for (const [i, text] of texts.entries())
      expect((await extractor.extract([text], [context]))[0]).toEqual(together[i])
  })

  test('reads what a memory observes', async () => {
    const db = await openMemory({ extract: extractor })
    const id = await db.observe('Sarah recommended Bawri, a thai place in Bandra.')
    await db.recall('Bawri', { whole: true })
    expect((await db.getEpisode(id))?.extraction).toMatchObject({ extractor: 'gliner', version: extractor.version })
    await db.close()
  })
})

test('the files may be bytes, and are what their SHA-256 says', async () => {
  const model = new Uint8Array(readFileSync(FILES.model))
  const sha256 = createHash('sha256').update(model).digest('hex')
  const extractor = await open({ model, sha256: { model: sha256 } })
  expect(await extractor.extract(['Yes.'], [context])).toHaveLength(1)
  await extractor.close?.()
  model[100] ^= 1
  await expect(open({ model, sha256: { model: sha256 } })).rejects.toMatchObject({ code: 'AGIDB_EXTRACTOR' })
})

test('a folder has the files, but for those that are named apart', async () => {
  const folder = path('token')
  const version = async (options: GlinerOptions) => {
    const extractor = await gliner({ worker: false, ...options })
    await extractor.close?.()
    return extractor.version
  }
  const apart = await version(FILES)
  expect(await version({ folder })).toBe(apart)
  expect(await version({ folder: `${folder}/` })).toBe(apart)
  expect(await version({ folder: pathToFileURL(folder) })).toBe(apart)
  expect(await version({ folder, model: path('token/model-quantised.onnx') })).not.toBe(apart)
  await expect(version({})).rejects.toMatchObject({ message: expect.stringContaining('or give folder') as string })
  await expect(version({ folder: '' })).rejects.toMatchObject({ details: { option: 'folder' } })
  await expect(version({ folder: path('none') })).rejects.toMatchObject({ code: 'AGIDB_EXTRACTOR' })
})

test('what is wrong with a file or an option is said', async () => {
  const refused = (more: object, message: string, code = 'AGIDB_INVALID_ARGUMENT') =>
    expect(open(more)).rejects.toMatchObject({ code, message: expect.stringContaining(message) as string })
  await refused({ model: FILES.tokenizer }, 'cannot be read as ONNX', 'AGIDB_EXTRACTOR')
  await refused({ model: path('none.onnx') }, 'cannot be read', 'AGIDB_EXTRACTOR')
  await refused({ config: FILES.model }, 'gliner_config.json', 'AGIDB_EXTRACTOR')
  for (const config of ['null', '7', '"text"', '[]'])
    await refused({ config: new TextEncoder().encode(config) }, 'gliner_config.json', 'AGIDB_EXTRACTOR')
  await refused({ tokenizer: FILES.config }, 'tokenizer', 'AGIDB_EXTRACTOR')
  await refused({ model: undefined }, 'model must be')
  await refused({ labels: [] }, 'labels must be')
  await refused({ labels: Array.from({ length: 26 }, (_, i) => `type ${i}`) }, 'at most 25')
  await refused({ threshold: 2 }, 'threshold is 2')
  await refused({ overlap: 'some' }, 'overlap is "some"')
  await refused({ sha256: { model: 'x' } }, 'sha256.model')
  await refused({ type: 'span' }, 'no option "type"', 'AGIDB_UNKNOWN_OPTION')
})

describe('golden texts', () => {
  const TEXT = 'Tom works at Initech in Lisbon since May 2019.'
  const found = async () => {
    const extractor = await open()
    const [{ entities }] = await extractor.extract([TEXT], [context])
    await extractor.close?.()
    return entities.map(({ text, type }) => ({ text, type }))
  }

  test('a model that finds what it must is loaded, with the version that it has without them', async () => {
    const [with_, without] = [await open({ golden: [{ text: TEXT, entities: await found() }] }), await open()]
    expect(with_.version).toBe(without.version)
    for (const one of [with_, without]) await one.close?.()
  })

  test('a model that finds something else is refused, and what is expected is said', async () => {
    const entities = await found()
    expect(entities.length).toBeGreaterThan(0)
    const right = { text: TEXT, entities }
    const wrong = { text: TEXT, entities: [{ text: 'Initech', type: 'animal' }] }
    await expect(open({ golden: [right, wrong] })).rejects.toMatchObject({
      code: 'AGIDB_EXTRACTOR',
      message: expect.stringContaining('in golden[1], where animal "Initech" must be found') as string,
      details: { golden: 1 },
    })
    await expect(open({ golden: [{ text: TEXT, entities: [] }] })).rejects.toMatchObject({
      message: expect.stringContaining('where nothing must be found') as string,
    })
  })

  test.each([
    [{ text: TEXT }, 'golden must be an array'],
    [[{ text: 1, entities: [] }], 'golden[0].text must be a string'],
    [[{ text: TEXT }], 'golden[0].entities must be an array'],
    [[{ text: TEXT, entities: [{ text: 'Tom' }] }], 'golden[0].entities[0] must have a text and a type'],
    [[{ text: TEXT, entities: [{ text: 'Tom', type: 'person', score: 1 }] }], 'no option "score"'],
  ])('%j is refused', async (golden, message) => {
    await expect(open({ golden } as object)).rejects.toMatchObject({
      message: expect.stringContaining(message) as string,
    })
  })
})

test('an extractor that is closed refuses', async () => {
  const extractor = await open()
  await extractor.close?.()
  await expect(extractor.extract(['x'], [context])).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
})
