import { expect, test } from 'vitest'
import { llmOf } from '../../../src/cli/llm.js'
import { loadConfiguration } from '../../../src/config/load.js'
import { answer, serve } from '../http/server.js'

test.each([
  ['ollama', '/api/chat', undefined],
  ['openai', '/v1/chat/completions', 'Bearer sk-1'],
])('a configuration makes the language model of %s', async (provider, path, authorization) => {
  const server = await serve((_, response) =>
    answer(response, { message: { content: 'yes' }, choices: [{ message: { content: 'yes' } }] }),
  )
  try {
    const key: Record<string, string> = authorization === undefined ? {} : { AGIDB_LLM_API_KEY: 'sk-1' }
    const environment = { ...key, AGIDB_LLM_PROVIDER: provider, AGIDB_LLM_MODEL: 'm', AGIDB_LLM_BASE_URL: server.url }
    const llm = llmOf(loadConfiguration({ cwd: '/', environment }).settings.llm)
    expect(llm.id).toBe(`${provider}/m`)
    expect(server.received).toEqual([])
    expect(await llm.complete({ system: 'Answer.', prompt: 'Are you there?' })).toBe('yes')
    expect(server.received[0]).toMatchObject({ path, body: { model: 'm' } })
    expect(server.received[0].headers.authorization).toBe(authorization)
  } finally {
    await server.close()
  }
})
