import type { Agidb } from '../../api/agidb.js'
import type { JsonSchema } from '../../mcp/tool.js'
import { TOOLS } from '../../mcp/tools/registry.js'
import { markedAsData } from '../../mcp/untrusted.js'

/** Options of {@link memoryTools}. */
export interface MemoryToolsOptions {
  /** Names of the tools to offer, of those of `agidb mcp`. Default `remember`, `recall` and `forget`. */
  readonly tools?: readonly string[]
  /** Whether calls that would change the memory are refused, and tools that always do left out. Default `false`. */
  readonly readOnly?: boolean
}

/** A tool as `generateText`, `streamText` and agents of the AI SDK take it. */
export interface MemoryTool {
  readonly description: string
  /** A Standard Schema with its JSON Schema. Arguments are checked by `execute`, with the errors of the library. */
  readonly inputSchema: {
    readonly '~standard': {
      readonly version: 1
      readonly vendor: 'agidb'
      validate(value: unknown): { readonly value: Record<string, unknown> }
      readonly jsonSchema: { input(): JsonSchema; output(): JsonSchema }
    }
  }
  execute(args: Record<string, unknown>, call: { readonly abortSignal?: AbortSignal }): Promise<string>
}

/**
 * The tools of `agidb mcp` for a model of the AI SDK, by their names. A tool answers text: what the library says, then
 * the stored data, marked as such. `forget` needs two calls: the first says what would go.
 *
 *     generateText({ model, tools: memoryTools(db), prompt })
 *
 * @throws AgidbError from a call: `AGIDB_INVALID_ARGUMENT` or `AGIDB_UNKNOWN_OPTION` for wrong arguments,
 * `AGIDB_READ_ONLY` with `readOnly`, and whatever the memory throws
 */
export function memoryTools(db: Agidb, options: MemoryToolsOptions = {}): Record<string, MemoryTool> {
  const { tools = ['remember', 'recall', 'forget'], readOnly = false } = options
  const offered = TOOLS.filter(({ name, alwaysWrites }) => tools.includes(name) && !(readOnly && alwaysWrites))
  return Object.fromEntries(
    offered.map((tool) => {
      const schema = () => tool.inputSchema
      const inputSchema: MemoryTool['inputSchema'] = {
        '~standard': {
          version: 1,
          vendor: 'agidb',
          validate: (value) => ({ value: value as Record<string, unknown> }),
          jsonSchema: { input: schema, output: schema },
        },
      }
      const execute: MemoryTool['execute'] = async (args, { abortSignal = new AbortController().signal }) => {
        const answer = await tool.run(args, { db, signal: abortSignal, progress: () => {} }, readOnly)
        const { data, note, text = JSON.stringify(data) } = answer
        return [...(note === undefined ? [] : [note]), markedAsData(text)].join('\n')
      }
      return [tool.name, { description: tool.description, inputSchema, execute }]
    }),
  )
}
