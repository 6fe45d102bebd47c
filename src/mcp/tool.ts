import { z } from 'zod'
import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { Agidb } from '../api/agidb.js'
import type { Effect } from '../api/methods/method.js'
import { AgidbError } from '../base/errors.js'

/** What a tool is given beside its arguments. */
export interface ToolCall {
  readonly db: Agidb
  /** Fires when the client cancels the call. */
  readonly signal: AbortSignal
  /** Tells the client how far the call is, where it asked for that. */
  progress(done: number, total: number, message?: string): void
}

/** What a tool answers. */
export interface ToolAnswer {
  /** The structured content: plain JSON that fits the tool's `output`. */
  readonly data: Readonly<Record<string, unknown>>
  /** The same for a model to read. It is marked as stored data. Default: `data` as JSON. */
  readonly text?: string
  /** What the server itself says of the answer; stands before the stored data. */
  readonly note?: string
}

/** How a tool is written: {@link defineTool}. */
export interface ToolSpec<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  /** What it is for, for the model that chooses it. */
  readonly description: string
  /** Unknown arguments are refused where it is a `z.strictObject`. */
  readonly input: Input
  readonly output: z.ZodObject
  /** What a call does to the memory; a function where that depends on the arguments. */
  readonly effect: Effect | ((args: z.output<Input>) => Effect)
  /** Whether a call can take something away. Default false. */
  readonly destructive?: boolean
  /** Whether the same call again changes nothing more. Default false. */
  readonly idempotent?: boolean
  run(args: z.output<Input>, call: ToolCall): Promise<ToolAnswer>
}

/** A tool as the server carries it. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** JSON Schema of the arguments and of the structured content. */
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly annotations: ToolAnnotations
  /** Whether every call changes the memory, so that a read-only server does not offer it. */
  readonly alwaysWrites: boolean
  /**
   * Checks the arguments and runs the call.
   *
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` or `AGIDB_UNKNOWN_OPTION` for wrong arguments, `AGIDB_READ_ONLY` where
   * `readOnly` and the call would change the memory, and whatever the memory throws
   */
  run(args: unknown, call: ToolCall, readOnly: boolean): Promise<ToolAnswer>
}

/** A JSON Schema of an object. */
export interface JsonSchema {
  readonly type: 'object'
  readonly [key: string]: unknown
}

/** A tool by its schemas, its effect and what it does. */
export function defineTool<Input extends z.ZodObject>(spec: ToolSpec<Input>): Tool {
  const { name, title, description, input, output, effect, destructive = false, idempotent = false } = spec
  return {
    name,
    title,
    description,
    inputSchema: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema,
    outputSchema: z.toJSONSchema(output) as JsonSchema,
    annotations: {
      title,
      readOnlyHint: effect === 'reads',
      destructiveHint: destructive,
      idempotentHint: effect === 'reads' || idempotent,
      openWorldHint: false,
    },
    alwaysWrites: effect === 'writes',
    async run(args, call, readOnly) {
      const checked = checkedArguments(name, input, args)
      const does = typeof effect === 'function' ? effect(checked) : effect
      if (readOnly && does === 'writes')
        throw new AgidbError('AGIDB_READ_ONLY', `this server only reads; ${name} would change the memory`, {
          tool: name,
        })
      return spec.run(checked, call)
    },
  }
}

/** Characters of the name of an unknown argument that an error repeats: a client may send any. */
const SHOWN = 100

function checkedArguments<Input extends z.ZodObject>(tool: string, input: Input, args: unknown): z.output<Input> {
  const { success, data, error } = input.safeParse(args ?? {})
  if (success) return data
  // A name that is mistyped is the reason why the right one is missing, so it is told first.
  const unknown = error.issues.find((issue) => issue.code === 'unrecognized_keys')
  const issue = unknown ?? error.issues[0]!
  const what = [tool, ...issue.path.map(String)].join('.').slice(0, 200)
  if (unknown === undefined)
    throw new AgidbError('AGIDB_INVALID_ARGUMENT', `${what}: ${issue.message.slice(0, 500)}`, { what })
  const known = Object.keys(objectAt(input, unknown.path).shape)
  const keys = unknown.keys
    .slice(0, 5)
    .map((key) => JSON.stringify(key.length > SHOWN ? `${key.slice(0, SHOWN)}…` : key))
  const noun = keys.length === 1 ? 'argument' : 'arguments'
  const message = `${what} has no ${noun} ${keys.join(', ')}; known are ${known.join(', ')}`
  throw new AgidbError('AGIDB_UNKNOWN_OPTION', message, { what, known })
}

/** The schema of the object at a path within the arguments of a tool. */
function objectAt(input: z.ZodObject, path: readonly PropertyKey[]): z.ZodObject {
  let schema: z.core.$ZodType = input
  for (const key of [...path, undefined]) {
    while (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) schema = schema.unwrap()
    if (schema instanceof z.ZodArray) schema = schema.element
    else if (schema instanceof z.ZodObject && key !== undefined) schema = schema.shape[String(key)]
  }
  return schema instanceof z.ZodObject ? schema : input
}
