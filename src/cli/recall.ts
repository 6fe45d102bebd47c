import { Option, type Command } from 'commander'
import type { Filter } from '../api/filter.js'
import type { Recall, RecallOptions, Tier } from '../api/recall.js'
import { DB_HELP } from './configuration.js'
import { openExisting, openExistingAlone } from './existing.js'
import { filterOf } from './filter.js'
import { matchLines } from './match.js'
import { numberBetween, wholeNumber } from './number-option.js'
import { EXIT, EXIT_HELP, print, printJson } from './output.js'
import { rankerOf } from './ranker.js'
import { printable, terminalOf } from './terminal.js'
import { traceLines } from './trace.js'

const DAY = 86_400_000

interface RecallFlags {
  readonly db: string
  readonly k: number
  readonly why?: boolean
  readonly session?: string
  readonly speaker?: string
  readonly source?: string
  readonly filter?: Filter
  readonly tierFloor?: Tier
  readonly validAsOf?: string
  readonly transactionAsOf?: string
  readonly from?: string
  readonly to?: string
  readonly minConfidence?: number
  readonly subject?: string
  readonly predicate?: string
  readonly object?: string
  readonly context?: number
  readonly budget?: number
  readonly fold: boolean
  readonly goal?: readonly string[]
  readonly goalBias?: number
  readonly asker?: string
  /** Days. */
  readonly recencyWindow?: number
  readonly trace?: boolean
  readonly ranker?: string
  readonly json?: boolean
}

/** Adds `agidb recall` to the program. */
export function addRecall(program: Command): void {
  program
    .command('recall')
    .summary('ask for memories')
    .description(
      'Finds the memories that answer a cue, best first, with how sure it is (0 to 1) and the tier, the kind ' +
        'of evidence.',
    )
    .argument('[cue]', 'a question, or words that were said; may be left out where a statement is looked for')
    .option('--db <folder>', `the memory, a folder that agidb remember made; ${DB_HELP}`)
    .option(
      '-k <number>',
      'how many memories, 1 to 1,000; AGIDB_SEARCH_TOP_K says another default',
      wholeNumber(1, 1000),
      10,
    )
    .option('--context <number>', 'show so many turns before and after each, 0 to 10', wholeNumber(0, 10))
    .option(
      '--budget <tokens>',
      'print them as text for a prompt, as many as fit, instead of a list',
      wholeNumber(1, 1_000_000),
    )
    .option('--why', 'show what each signal contributed to the score, and where the memory comes from')
    .option('--session <name>', 'only memories of this session')
    .option('--speaker <name>', 'only what this speaker said')
    .option('--source <name>', 'only memories from this source')
    .option(
      '--filter <json>',
      'only memories that pass this filter: names, tags, times, metadata, and, or, not',
      filterOf,
    )
    .addOption(
      new Option('--tier-floor <tier>', 'the weakest kind of evidence').choices([
        'exact',
        'similarity',
        'gist',
        'nearest',
      ]),
    )
    .option('--valid-as-of <time>', 'only what was true at this time (ISO 8601)')
    .option('--transaction-as-of <time>', 'only what had been recorded by this time (ISO 8601)')
    .option('--from <time>', 'only what began at this time or later (ISO 8601)')
    .option('--to <time>', 'only what began before this time (ISO 8601)')
    .option('--subject <name>', 'look for statements with this subject')
    .option('--predicate <name>', 'look for statements with this predicate')
    .option('--object <name>', 'look for statements with this object')
    .option('--min-confidence <number>', 'only memories of at least this confidence, 0 to 1', numberBetween(0, 1))
    .option('--goal <text...>', 'what you are after, in words: memories like it are lifted; up to 16')
    .option('--goal-bias <number>', 'how much a goal lifts, 0 to 1', numberBetween(0, 1), 0.3)
    .option('--asker <name>', 'the speaker who asks: whom "I" and "my" in the cue mean')
    .option(
      '--recency-window <days>',
      'prefer recent memories: the days after which the preference has halved',
      numberBetween(0.001, 1_000_000),
    )
    .option('--no-fold', 'show near-duplicates each by itself')
    .option('--trace', 'list every memory that was considered, and why it was not kept')
    .option('--ranker <ranker>', 'what ranks: free (the default), locomo, fusion, or a file that agidb train wrote')
    .option('--json', 'print the answer as JSON')
    .addHelpText(
      'after',
      `
Tiers, the strongest first:
  exact       names what the cue is about: a name or word that is rare here, or comes with most of the rest
  similarity  words and structure agree well above chance
  gist        some likeness above chance
  nearest     nothing better was there

Example:
  $ agidb recall "what thai place was mentioned?" --db memory --why
  $ agidb recall "what did I order?" --filter '{"tags": "food", "metadata": {"order.total": {"gte": 20}}}' --db memory
  $ agidb recall --subject Sarah --predicate recommends --from 2026-05-01 --db memory
${EXIT_HELP}`,
    )
    .action(recall)
}

async function recall(cue: string | undefined, { db: path, json, why, ranker, ...flags }: RecallFlags): Promise<void> {
  const db =
    ranker === undefined
      ? await openExisting(path, { encodes: true })
      : await openExistingAlone(path, { encodes: true, ranker: rankerOf(ranker) })
  let answer: Recall
  try {
    answer = await db.recall(cue, optionsOf(flags))
  } finally {
    await db.close()
  }
  if (json) printJson(answer)
  else if (answer.prompt !== undefined) print(printable(answer.prompt.text))
  else show(answer, why ?? false)
  if (answer.attentionTrace !== undefined && !json)
    print(traceLines(answer.attentionTrace, terminalOf(process.stdout)).join('\n'))
  if (answer.matches.length === 0) process.exitCode = EXIT.failed
}

function optionsOf(flags: Omit<RecallFlags, 'db' | 'json' | 'why' | 'ranker'>): RecallOptions {
  const { budget, goal, recencyWindow, trace, from, to, subject, predicate, object, ...same } = flags
  const hasPattern = [subject, predicate, object].some((part) => part !== undefined)
  return {
    ...same,
    whole: true, // it asks once
    ...((from ?? to) !== undefined && { at: { from, to } }),
    ...(hasPattern && { structured: { subject, predicate, object } }),
    ...(budget !== undefined && { budgetTokens: budget }),
    ...(goal !== undefined && { goals: goal }),
    ...(recencyWindow !== undefined && { recencyWindow: recencyWindow * DAY }),
    ...(trace === true && { traceAttention: true }),
  }
}

function show({ matches, tierUsed, elapsedMs }: Recall, why: boolean): void {
  const terminal = terminalOf(process.stdout)
  if (matches.length === 0) {
    print('nothing found')
    return
  }
  if (matches[0]!.lowConfidence)
    print(terminal.style('yellow', 'Nothing speaks clearly for any of these; they are the nearest.'))
  for (const [index, match] of matches.entries()) {
    print(matchLines(match, { rank: index + 1, why }, terminal).join('\n'))
  }
  const many = matches.length === 1 ? '1 memory' : `${matches.length} memories`
  print(terminal.style('dim', `${many} in ${elapsedMs.toFixed(1)} ms, best evidence: ${tierUsed}`))
}
