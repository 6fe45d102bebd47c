import { expect, test } from 'vitest'
import type { Summarizer, SummaryInput } from '../../../../src/api/summarizer.js'
import { encodeOpenOptions } from '../../../../src/rpc/codec/open-options.js'
import { connect } from '../../../../src/rpc/worker/connect.js'
import { thread } from './thread.js'

const [FIRST, SECOND] = ['What is done first is told here. ', 'Then it is told what follows. ']
const PLAN = `# Plan\n\n## One\n\n${FIRST.repeat(30)}\n\n## Two\n\n${SECOND.repeat(30)}`

const opened = (summarizer: Summarizer | 'none') =>
  connect(thread().thread, encodeOpenOptions({ extract: 'none', summarizer }))

test("the page's summarizer summarizes for an engine in another thread", async () => {
  const asked: SummaryInput[] = []
  const db = await opened({
    id: 'page/1',
    summarize: (input) => {
      asked.push(input)
      return `a summary of ${input.texts.length} texts`
    },
  })
  expect(await db.entries.ingest(PLAN, { source: 'plan.md' })).toMatchObject({ summaries: 1 })
  expect(asked).toMatchObject([{ heading: 'Plan', maxCharacters: 600 }])
  const [summary] = (await db.entries.browse()).filter(({ type }) => type === 'summary')
  expect(summary).toMatchObject({ madeBy: 'page/1', content: `a summary of ${asked[0].texts.length} texts` })
  await db.close()
})

test('one that throws is told with its reason', async () => {
  const db = await opened({ id: 'page/1', summarize: () => Promise.reject(new Error('no network')) })
  await expect(db.entries.ingest(PLAN, { source: 'plan.md' })).rejects.toMatchObject({
    name: 'AgidbError',
    code: 'AGIDB_SUMMARIZER',
    message: expect.stringContaining('no network') as string,
  })
  await db.close()
})

test('none makes none', async () => {
  const db = await opened('none')
  expect(await db.entries.ingest(PLAN, { source: 'plan.md' })).toMatchObject({ summaries: 0 })
  await db.close()
})
