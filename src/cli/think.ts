import { Argument, Option, type Command } from 'commander'
import type { ThinkAnswers, ThinkReport } from '../api/think.js'
import type { LlmProvider } from '../api/llm.js'
import { reflect } from '../llm/index.js'
import { configurationOf, DB_HELP } from './configuration.js'
import { openToChange, openExisting } from './existing.js'
import { interruption } from './interruption.js'
import { llmOf } from './llm.js'
import { EXIT_HELP, print, printJson } from './output.js'
import { printable } from './terminal.js'

const ACTIONS = ['status', 'discover', 'history', 'consolidate', 'reflect'] as const

interface ThinkFlags {
  readonly db: string
  readonly llm?: 'ollama' | 'openai'
  readonly model?: string
  readonly url?: string
  readonly json?: boolean
}

/** Adds `agidb think` to the program. */
export function addThink(program: Command): void {
  program
    .command('think')
    .summary('tidy up what is known of documents')
    .description(
      'Finds entries that are alike, summarizes them, or has a language model reflect on the memory. Only reflect ' +
        'needs a model: that of the configuration, or of --llm, --model and --url. The key of its server is taken ' +
        'from AGIDB_LLM_API_KEY.',
    )
    .addArgument(new Argument('[action]', 'what to do').choices(ACTIONS).default('status'))
    .option('--db <folder>', `the memory, a folder; ${DB_HELP}`)
    .addOption(new Option('--llm <kind>', 'the kind of server; AGIDB_LLM_PROVIDER').choices(['ollama', 'openai']))
    .option('--model <name>', 'the model, such as llama3.2; AGIDB_LLM_MODEL')
    .option('--url <address>', 'the address of the server; AGIDB_LLM_BASE_URL')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', `\nExample:\n  $ agidb think reflect --model llama3.2 --db memory\n${EXIT_HELP}`)
    .action(think)
}

async function think(action: (typeof ACTIONS)[number], flags: ThinkFlags): Promise<void> {
  const changes = action === 'consolidate' || action === 'reflect'
  const db = await (changes ? openToChange(flags.db) : openExisting(flags.db, { extract: 'none' }))
  const interrupted = interruption()
  try {
    const answer =
      action === 'reflect'
        ? await reflect(db, modelOf(flags), { signal: interrupted.signal })
        : await db.entries.think(action)
    if (flags.json) printJson(answer)
    else print(printable(said(action, answer)))
  } finally {
    interrupted.release()
    await db.close()
  }
}

/** The model of the configuration, with what was typed. Server and key of a file are not for what else was typed. */
function modelOf({ db, llm, model, url }: ThinkFlags): LlmProvider {
  const { settings, origins } = configurationOf(db)
  const { provider, model: usual, baseUrl, apiKey } = settings.llm
  const isOther = llm !== undefined && llm !== provider
  const isKeyOfFile = origins['llm.api_key'].kind === 'file'
  return llmOf({
    provider: llm ?? provider,
    model: model ?? usual,
    baseUrl: url ?? (isOther ? undefined : baseUrl),
    apiKey: isKeyOfFile && (isOther || url !== undefined) ? undefined : apiKey,
  })
}

function said(action: (typeof ACTIONS)[number], answer: ThinkAnswers[keyof ThinkAnswers]): string {
  switch (action) {
    case 'discover': {
      const pairs = answer as ThinkAnswers['discover']
      const lines = pairs.map(({ entries, likeness }) => `${likeness.toFixed(0).padStart(4)}  ${entries.join('  ')}`)
      return lines.length === 0 ? 'no entries are alike and not linked' : lines.join('\n')
    }
    case 'history': {
      const lines = (answer as ThinkAnswers['history']).map(
        ({ at, action: done, entries }) => `${at}  ${done}  ${entries.length} entries`,
      )
      return lines.length === 0 ? 'it was not thought yet' : lines.join('\n')
    }
    case 'status': {
      const { entries, visibility, openThreads, last } = answer as ThinkAnswers['status']
      const shown = Object.entries(visibility).map(([name, count]) => `${name} ${count}`)
      return `${entries} entries (${shown.join(', ')}), ${openThreads} open threads, last thought ${last ?? 'never'}`
    }
    default: {
      const { entries, aging } = answer as ThinkReport
      return [
        ...entries.map(({ type, content }) => `${type}: ${content}`),
        `${aging.degraded.length} entries aged`,
      ].join('\n')
    }
  }
}
