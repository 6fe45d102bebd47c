import type { Agidb } from '../../api/agidb.js'
import { checkChoice, checkKeys } from '../../api/check.js'
import type { RecallOptions } from '../../api/recall.js'
import { cueOf } from '../cue.js'
import { recalledText } from '../recalled.js'
import { saidTexts } from '../said.js'

/** Options of {@link memoryProcessor}. */
export interface MemoryProcessorOptions {
  /** The conversation that turns are stored under. Default: the thread of the messages. */
  readonly session?: string
  /** The speaker of the user's messages. Default `user`. */
  readonly user?: string
  /** The speaker of the agent's answers. Default `assistant`. */
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
}

/** What is read here of a message of Mastra: `MastraMessageV2` of version 0, `MastraDBMessage` of version 1. */
export interface ProcessedMessage {
  readonly id: string
  readonly role: string
  readonly threadId?: string
  readonly content: { readonly format: 2; readonly parts: readonly { readonly type: string }[] }
}

/** What a processor is given. */
interface Processing<M> {
  readonly messages: M[]
  /** What is kept between the calls of one request; Mastra 0 has none. */
  readonly state?: Record<string, unknown>
}

/** A processor of Mastra, for `inputProcessors` and `outputProcessors`. */
export interface MemoryProcessor {
  readonly id: 'agidb'
  readonly name: 'agidb'
  processInput<M extends ProcessedMessage>(given: Processing<M>): Promise<M[]>
  processOutputResult<M extends ProcessedMessage>(given: Processing<M>): Promise<M[]>
}

/** A turn of a conversation. */
interface Turn {
  readonly speaker: string
  readonly text: string
  readonly session: string | undefined
  readonly source: string
}

const KEYS = ['session', 'user', 'assistant', 'source', 'budgetTokens', 'recall', 'remember']

/** Where a request keeps what its user said. */
const SAID = 'agidb'

/**
 * Gives an agent of Mastra a memory: before the model is called it recalls what bears on the user's last message, and
 * adds it as a system message, marked as stored data; when the answer is complete it stores the turn.
 *
 *     const memory = memoryProcessor(db)
 *     new Agent({ …, inputProcessors: [memory], outputProcessors: [memory] })
 *
 * Mastra 1 keeps what a request needs between its steps, so a turn that fails is not stored. Mastra 0 does not: there
 * the user's message is stored at once.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT`, `AGIDB_UNKNOWN_OPTION`; from the run of the agent, whatever `recall`
 * and `observeMany` throw
 */
export function memoryProcessor(
  db: Pick<Agidb, 'recall' | 'observeMany'>,
  options: MemoryProcessorOptions = {},
): MemoryProcessor {
  checkKeys('memoryProcessor', options, KEYS)
  const { user = 'user', assistant = 'assistant', source = 'chat', remember = true } = options
  const { budgetTokens = 1_000, recall } = options
  checkChoice('remember', remember, [true, false, 'user'])

  /** What is said in a message, unless that is nothing. */
  function turnOf(message: ProcessedMessage | undefined, speaker: string): Turn[] {
    const text = message === undefined ? '' : textOf(message)
    return text === '' ? [] : [{ speaker, text, session: options.session ?? message?.threadId, source }]
  }

  async function store(turns: readonly Turn[]): Promise<void> {
    const said = turns.flatMap((turn) => saidTexts(turn.text).map((text) => ({ ...turn, text })))
    if (remember !== false && said.length > 0) await db.observeMany(said)
  }

  return {
    id: 'agidb',
    name: 'agidb',

    async processInput<M extends ProcessedMessage>({ messages, state }: Processing<M>): Promise<M[]> {
      const asked = messages.findLast(({ role }) => role === 'user')
      const said = turnOf(asked, user)
      const cue = cueOf(said[0]?.text ?? '')
      const found = cue === '' ? undefined : await db.recall(cue, { asker: user, ...recall, budgetTokens })
      if (state === undefined) await store(said)
      else state[SAID] = said
      if (found === undefined || found.prompt.ids.length === 0) return messages
      const text = recalledText(found)
      const content = { format: 2, parts: [{ type: 'text', text }], content: text }
      return [{ ...asked, id: `${asked!.id}-recalled`, role: 'system', content } as unknown as M, ...messages]
    },

    async processOutputResult<M extends ProcessedMessage>({ messages, state }: Processing<M>): Promise<M[]> {
      const said = (state?.[SAID] as readonly Turn[] | undefined) ?? []
      const answers = messages.filter(({ role }) => role === 'assistant')
      const [first] = answers
      const parts = answers.flatMap(({ content }) => content.parts)
      const whole = first && { ...first, content: { ...first.content, parts } }
      // The thread is that of the question, where the answer names none.
      const answered = turnOf(whole, assistant).map((turn) => ({ ...turn, session: turn.session ?? said[0]?.session }))
      await store(remember === 'user' ? said : [...said, ...answered])
      if (state !== undefined) delete state[SAID]
      return messages
    },
  }
}

function textOf({ content }: ProcessedMessage): string {
  const texts = content.parts.map((part) => (part.type === 'text' ? (part as { text?: unknown }).text : undefined))
  return texts
    .filter((text) => typeof text === 'string')
    .join('\n')
    .trim()
}
