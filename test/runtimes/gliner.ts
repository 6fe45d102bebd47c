import { gliner, type GlinerOptions } from 'agidb/gliner'

/** The entities that a model finds in texts. */
export async function entitiesOf(options: GlinerOptions, texts: readonly string[]): Promise<unknown[]> {
  const extractor = await gliner(options)
  const read = await extractor.extract(
    texts,
    texts.map(() => ({ at: '2026-05-01T00:00:00.000Z' })),
  )
  await extractor.close?.()
  return read.map(({ entities }) => entities)
}
