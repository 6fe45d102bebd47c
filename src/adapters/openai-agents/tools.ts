import { type FunctionTool, tool } from '@openai/agents'
import type { Agidb } from '../../api/agidb.js'
import { checkKeys } from '../../api/check.js'
import { AgidbError } from '../../base/errors.js'
import { checkToolNames, OFFERED_KEYS, offeredTools, type OfferedToolsOptions } from '../offered-tools.js'

/** Options of {@link memoryTools}. */
export interface MemoryToolsOptions extends OfferedToolsOptions {
  /** Names of tools whose calls a human approves before they run. Default: none. */
  readonly needsApproval?: readonly string[]
}

/** The form of a JSON Schema that the SDK takes for a tool whose arguments the tool itself checks. */
interface LooseSchema {
  type: 'object'
  properties: Record<string, Record<string, unknown>>
  required: string[]
  additionalProperties: true
}

/**
 * The tools of `agidb mcp` for agents of the OpenAI Agents SDK. A tool answers text: what the library says, then the
 * stored data, marked as such; of an error the message with its code, so that the model can correct its call. `forget`
 * needs two calls: the first says what would go.
 *
 *     new Agent({ name: 'Helper', tools: memoryTools(db) })
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, also for a tool that there is not; `AGIDB_UNKNOWN_OPTION`
 */
export function memoryTools(db: Agidb, options: MemoryToolsOptions = {}): FunctionTool[] {
  checkKeys('memoryTools', options, [...OFFERED_KEYS, 'needsApproval'])
  const { needsApproval = [], ...offered } = options
  checkToolNames('needsApproval', needsApproval)
  return offeredTools(db, offered).map(
    ({ name, description, inputSchema, run }) =>
      tool({
        name,
        description,
        parameters: { required: [], properties: {}, ...inputSchema } as unknown as LooseSchema,
        strict: false,
        needsApproval: needsApproval.includes(name),
        execute: (args, _, details) => run(args, details?.signal),
        errorFunction: (_, error) => toldOf(error),
      }) as unknown as FunctionTool,
  )
}

/** What a model is told of an error. One that is not of this library ends the run. */
function toldOf(error: unknown): string {
  if (!(error instanceof AgidbError) || error.code === 'AGIDB_ABORTED') throw error
  return `${error.message} (${error.code})`
}
