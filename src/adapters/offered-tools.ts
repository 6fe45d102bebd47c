import type { Agidb } from '../api/agidb.js'
import { checkChoice, checkFlag, checkKeys, invalid } from '../api/check.js'
import type { JsonSchema } from '../mcp/tool.js'
import { TOOLS } from '../mcp/tools/registry.js'
import { markedAsData } from '../mcp/untrusted.js'

/** Which tools of `agidb mcp` are offered to a model. */
export interface OfferedToolsOptions {
  /** Names of the tools to offer, of those of `agidb mcp`. Default `remember`, `recall` and `forget`. */
  readonly tools?: readonly string[]
  /** Whether calls that would change the memory are refused, and tools that always do left out. Default `false`. */
  readonly readOnly?: boolean
}

/** A tool of `agidb mcp`, to be put into the form of a framework. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  /** Checks the arguments and runs the call; answers what the library says, then the stored data, marked as such. */
  run(args: unknown, signal?: AbortSignal): Promise<string>
}

/** The names of {@link OfferedToolsOptions}. */
export const OFFERED_KEYS = ['tools', 'readOnly'] as const

/**
 * Refuses a list that has anything but names of tools of `agidb mcp`.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`
 */
export function checkToolNames(what: string, names: unknown): void {
  if (!Array.isArray(names)) throw invalid(`${what} must be an array of names of tools`, { what })
  const known = TOOLS.map(({ name }) => name)
  for (const [i, name] of names.entries()) checkChoice(`${what}[${i}]`, name, known)
}

/**
 * The tools of `agidb mcp` that the options offer.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, also for a tool that there is not; `AGIDB_UNKNOWN_OPTION`
 */
export function offeredTools(db: Agidb, options: OfferedToolsOptions): OfferedTool[] {
  checkKeys('memoryTools', options, OFFERED_KEYS)
  const { tools = ['remember', 'recall', 'forget'], readOnly = false } = options
  checkToolNames('tools', tools)
  checkFlag('readOnly', readOnly)
  return TOOLS.filter(({ name, alwaysWrites }) => tools.includes(name) && !(readOnly && alwaysWrites)).map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    async run(args, signal = new AbortController().signal) {
      const answer = await tool.run(args, { db, signal, progress: () => {} }, readOnly)
      const { data, note, text = JSON.stringify(data) } = answer
      return [...(note === undefined ? [] : [note]), markedAsData(text)].join('\n')
    },
  }))
}
