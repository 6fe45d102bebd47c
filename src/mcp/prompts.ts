import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ErrorCode, type GetPromptResult, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Agidb } from '../api/agidb.js'
import { toWire } from '../base/errors.js'
import { markedAsData, UNTRUSTED } from './untrusted.js'

/** Adds the prompts that a person can choose in a client. */
export function addPrompts(server: McpServer, db: Agidb): void {
  server.registerPrompt(
    'priming',
    {
      title: 'Start with what is known',
      description: 'Core knowledge, open threads, recent learnings, goals, beliefs',
    },
    () =>
      asked('What the memory knows', async () => {
        const { text } = await db.entries.priming({ budgetTokens: 2_000 })
        return `Start from what the memory knows.\n${UNTRUSTED}\n${markedAsData(text)}`
      }),
  )
  server.registerPrompt(
    'recall',
    {
      title: 'Answer from memory',
      description: 'A question, with what is remembered about it',
      argsSchema: { question: z.string().describe('what is asked') },
    },
    ({ question }) =>
      asked('A question and what is remembered about it', async () => {
        const { prompt } = await db.recall(question, { budgetTokens: 2_000 })
        return (
          'Answer the question from the memory below and cite lines as [n]. Say so where it is not answered there.\n' +
          `${UNTRUSTED}\n${markedAsData(prompt.text)}\nQuestion: ${question}`
        )
      }),
  )
  server.registerPrompt(
    'reflect',
    { title: 'Reflect on the memory', description: 'Has the model write summaries and learnings with the tool think' },
    () =>
      asked('A reflection on the memory', async () => {
        const { request, ids } = await db.entries.reflection()
        return (
          `${request.system}\n${UNTRUSTED}\n${markedAsData(request.prompt)}\n` +
          `Call the tool think with action "reflect", ids ${JSON.stringify(ids)}, and as answer JSON of this schema: ` +
          JSON.stringify(request.schema ?? {})
        )
      }),
  )
}

/** A prompt of one message, or the error of the memory as an error of the protocol with its code. */
async function asked(description: string, text: () => Promise<string>): Promise<GetPromptResult> {
  try {
    return { description, messages: [{ role: 'user', content: { type: 'text', text: await text() } }] }
  } catch (error) {
    const { code, message } = toWire(error)
    throw new McpError(ErrorCode.InvalidParams, `${message} (${code})`, { code })
  }
}
