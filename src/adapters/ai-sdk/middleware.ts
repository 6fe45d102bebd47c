import type { Agidb } from '../../api/agidb.js'
import { checkChoice, checkKeys } from '../../api/check.js'
import type { RecallOptions } from '../../api/recall.js'
import { cueOf } from '../cue.js'
import { saidTexts } from '../said.js'
import { lastOfUser, type Message, type Part, textOf, withRecalled } from './messages.js'

/** Options of {@link memoryMiddleware}. */
export interface MemoryMiddlewareOptions<Version extends string = 'v3'> {
  /** The conversation that turns are stored under. Default: none. */
  readonly session?: string
  /** The speaker of the user's messages. Default `user`. */
  readonly user?: string
  /** The speaker of the model's answers. Default `assistant`. */
  readonly assistant?: string
  /** The source that turns are stored under. Default `chat`. */
  readonly source?: string
  /** The length of what is recalled, in tokens. Default 1,000. */
  readonly budgetTokens?: number
  /** Further options of the recall, such as `k`, `filter` and `minConfidence`. */
  readonly recall?: Omit<RecallOptions, 'budgetTokens' | 'signal'>
  /**
   * What is stored of a turn: the user's message and the answer (`true`), the message alone (`'user'`), or nothing
   * (`false`). An answer that repeats what was recalled is recalled beside it the next time: `'user'` avoids that.
   * Default `true`.
   */
  readonly remember?: boolean | 'user'
  /**
   * The specification of models that the middleware says it is for. `ai` 6 takes `v3` only; `ai` 7 takes any. Default
   * `v3`.
   */
  readonly specificationVersion?: Version
}

const KEYS = ['session', 'user', 'assistant', 'source', 'budgetTokens', 'recall', 'remember', 'specificationVersion']

interface Params {
  readonly prompt: readonly Message[]
  readonly abortSignal?: AbortSignal
}

/** What `wrapLanguageModel` takes: `LanguageModelMiddleware` of `ai` 7 and of `ai` 6. */
export interface MemoryMiddleware<Version extends string = 'v3'> {
  readonly specificationVersion: Version
  transformParams<P extends Params>(call: { readonly params: P }): Promise<P>
  wrapGenerate<R extends { readonly content: readonly Part[] }>(call: {
    readonly doGenerate: () => PromiseLike<R>
    readonly params: Params
  }): Promise<R>
  wrapStream<C extends Part, R extends { stream: ReadableStream<C> }>(call: {
    readonly doStream: () => PromiseLike<R & { stream: ReadableStream<C> }>
    readonly params: Params
  }): Promise<R>
}

/**
 * Gives a model of the AI SDK a memory: before a call it recalls what bears on the user's last message and puts it
 * before that message, marked as stored data; after the last step of a turn it stores the user's message and, unless
 * the option `remember` says otherwise, the answer, in one write. A step that calls a tool, a stream that fails and one
 * that is cancelled store nothing.
 *
 *     wrapLanguageModel({ model, middleware: memoryMiddleware(db, { session: 'monday' }) })
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`; from the call of the model, whatever `recall`
 * and `observeMany` throw
 */
export function memoryMiddleware<Version extends 'v3' | 'v4' = 'v3'>(
  db: Pick<Agidb, 'recall' | 'observeMany'>,
  options: MemoryMiddlewareOptions<Version> = {},
): MemoryMiddleware<Version> {
  checkKeys('memoryMiddleware', options, KEYS)
  const { session, user = 'user', assistant = 'assistant', source = 'chat', remember = true } = options
  const { budgetTokens = 1_000, recall, specificationVersion = 'v3' as Version } = options
  checkChoice('remember', remember, [true, false, 'user'])

  async function store({ prompt }: Params, answer: string): Promise<void> {
    if (remember === false) return
    const said = [
      { speaker: user, text: textOf(prompt[lastOfUser(prompt)]?.content ?? '') },
      { speaker: assistant, text: remember === 'user' ? '' : answer.trim() },
    ].flatMap(({ speaker, text }) => saidTexts(text).map((text) => ({ speaker, text, session, source })))
    if (said.length > 0) await db.observeMany(said)
  }

  return {
    specificationVersion,

    async transformParams({ params }) {
      const cue = cueOf(textOf(params.prompt[lastOfUser(params.prompt)]?.content ?? ''))
      if (cue === '') return params
      const found = await db.recall(cue, { asker: user, ...recall, budgetTokens, signal: params.abortSignal })
      if (found.prompt.ids.length === 0) return params
      return { ...params, prompt: withRecalled(params.prompt, found) }
    },

    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate()
      if (!result.content.some(callsTool)) await store(params, textOf(result.content))
      return result
    },

    async wrapStream({ doStream, params }) {
      const result = await doStream()
      let answer = ''
      let complete = false
      let unfinished = false
      const stream = result.stream.pipeThrough(
        new TransformStream({
          transform(part, controller) {
            if (part.type === 'text-delta') answer += (part as { delta?: string }).delta ?? ''
            if (part.type === 'text-end') answer += '\n'
            if (part.type === 'finish') complete = true
            if (part.type === 'error' || callsTool(part)) unfinished = true
            controller.enqueue(part)
          },
          async flush() {
            if (complete && !unfinished) await store(params, answer)
          },
        }),
      )
      return { ...result, stream }
    },
  }
}

/** Whether the application has to run a tool before the answer goes on. */
function callsTool(part: Part): boolean {
  return part.type === 'tool-call' && (part as { providerExecuted?: boolean }).providerExecuted !== true
}
