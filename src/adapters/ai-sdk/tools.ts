import type { Agidb } from '../../api/agidb.js'
import type { JsonSchema } from '../../mcp/tool.js'
import { offeredTools, type OfferedToolsOptions } from '../offered-tools.js'

/** Options of {@link memoryTools}. */
export interface MemoryToolsOptions extends OfferedToolsOptions {}

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
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, also for a tool that there is not, or `AGIDB_UNKNOWN_OPTION`; from a
 * call: `AGIDB_INVALID_ARGUMENT` or `AGIDB_UNKNOWN_OPTION` for wrong arguments, `AGIDB_READ_ONLY` with `readOnly`, and
 * whatever the memory throws
 */
export function memoryTools(db: Agidb, options: MemoryToolsOptions = {}): Record<string, MemoryTool> {
  return Object.fromEntries(
    offeredTools(db, options).map((tool) => {
      const schema = () => tool.inputSchema
      const inputSchema: MemoryTool['inputSchema'] = {
        '~standard': {
          version: 1,
          vendor: 'agidb',
          validate: (value) => ({ value: value as Record<string, unknown> }),
          jsonSchema: { input: schema, output: schema },
        },
      }
      const execute: MemoryTool['execute'] = (args, { abortSignal }) => tool.run(args, abortSignal)
      return [tool.name, { description: tool.description, inputSchema, execute }]
    }),
  )
}
