// An agent that remembers, with the OpenAI Agents SDK. Node 20: npm install agidb @openai/agents@0.14.3 zod;
// Node 22: npm install agidb @openai/agents zod
import { Agent, type Model, Runner, Usage } from '@openai/agents'
import { Agidb } from 'agidb'
import { MemorySession, memoryTools } from 'agidb/openai-agents'

const db = await Agidb.open({ path: './memory.agidb' })
const session = new MemorySession(db, { session: 'monday' })

// A model that recalls what it is asked, and says what it found. Put the name of one here: 'gpt-…'.
const scripted: Model = {
  async getResponse({ input }) {
    const last = [...input].at(-1) as { role?: string; content?: string; output?: { text: string } }
    const query = JSON.stringify({ query: last.content })
    return {
      usage: new Usage(),
      output: [
        last.role === 'user'
          ? { type: 'function_call', callId: '1', name: 'recall', status: 'completed', arguments: query }
          : {
              ...{ type: 'message', role: 'assistant', status: 'completed' },
              content: [{ type: 'output_text', text: `I recalled: ${last.output?.text}` }],
            },
      ],
    }
  },
  getStreamedResponse: () => Promise.reject(new Error('not here')) as never,
}

const agent = new Agent({ name: 'Helper', model: scripted, tools: memoryTools(db) })
const runner = new Runner({ tracingDisabled: true })
await runner.run(agent, 'Sarah recommended Bawri, a thai place in Bandra.', { session })
const { finalOutput } = await runner.run(agent, 'Which thai place was it?', { session })
console.log(finalOutput)
await db.close()
