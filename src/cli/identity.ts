import type { Command } from 'commander'
import { DB_HELP } from './configuration.js'
import { openExisting, openToChange } from './existing.js'
import { numberBetween, wholeNumber } from './number-option.js'
import { EXIT_HELP, print, printJson } from './output.js'
import { printable } from './terminal.js'

/** Adds `agidb identity` to the program. */
export function addIdentity(program: Command): void {
  program
    .command('identity')
    .summary('show what an agent starts with')
    .description('Shows core knowledge, open threads, recent learnings, goals and beliefs, worked out without a model.')
    .option('--db <folder>', `the memory, a folder; ${DB_HELP}`)
    .option('--budget <tokens>', 'about how many tokens', wholeNumber(1, 1_000_000), 1_000)
    .option('--json', 'print the whole identity as JSON')
    .addHelpText('after', EXIT_HELP)
    .action(async ({ db: path, budget, json }: { db: string; budget: number; json?: boolean }) => {
      const db = await openExisting(path, { extract: 'none' })
      try {
        if (!json) return print(printable((await db.entries.priming({ budgetTokens: budget })).text))
        const { centroids, ...identity } = await db.entries.identity()
        printJson({ ...identity, centroids: centroids.map(({ centroid: _, ...rest }) => rest) })
      } finally {
        await db.close()
      }
    })
}

/** Adds `agidb perspectives` to the program. */
export function addPerspectives(program: Command): void {
  program
    .command('perspectives')
    .summary('list, define or remove the sides from which documents are seen')
    .option('--db <folder>', `the memory, a folder; ${DB_HELP}`)
    .option('--define <name>', 'define a perspective, with --hint')
    .option('--hint <text>', 'what belongs to it, in words')
    .option('--remove <name>', 'remove a perspective of your own')
    .option('--json', 'print them as JSON')
    .addHelpText('after', EXIT_HELP)
    .action(
      async ({
        db: path,
        define,
        hint,
        remove,
        json,
      }: {
        db: string
        define?: string
        hint?: string
        remove?: string
        json?: boolean
      }) => {
        const changes = define !== undefined || remove !== undefined
        const db = await (changes ? openToChange(path) : openExisting(path, { extract: 'none' }))
        try {
          if (define !== undefined) await db.entries.definePerspective(define, hint ?? define)
          if (remove !== undefined) await db.entries.removePerspective(remove)
          const all = await db.entries.perspectives()
          if (json) return printJson(all)
          for (const { id, hint: said } of all) print(`${printable(id)}: ${printable(said)}`)
        } finally {
          await db.close()
        }
      },
    )
}

/** Adds `agidb aging` to the program. */
export function addAging(program: Command): void {
  program
    .command('aging')
    .summary('show, configure or apply how entries go out of sight')
    .option('--db <folder>', `the memory, a folder; ${DB_HELP}`)
    .option('--after-days <number>', 'days without an access', numberBetween(0, 36_500))
    .option('--protection <number>', 'the salience from which on an entry stays, 0 to 1', numberBetween(0, 1))
    .option('--apply', 'let entries age now')
    .option('--json', 'print it as JSON')
    .addHelpText('after', EXIT_HELP)
    .action(
      async ({
        db: path,
        afterDays,
        protection,
        apply,
        json,
      }: {
        db: string
        afterDays?: number
        protection?: number
        apply?: boolean
        json?: boolean
      }) => {
        const configures = afterDays !== undefined || protection !== undefined
        const db = await (apply || configures ? openToChange(path) : openExisting(path, { extract: 'none' }))
        try {
          const config = await db.entries.aging.configure(
            configures
              ? {
                  ...(afterDays !== undefined && { degradeAfterDays: afterDays }),
                  ...(protection !== undefined && { salienceProtection: protection }),
                }
              : undefined,
          )
          const report = apply ? await db.entries.aging.apply() : undefined
          if (json) return printJson({ config, ...(report && { report }) })
          print(
            `entries of visibility ${config.degradeFrom.join(', ')} become ${config.degradeTo} after ` +
              `${config.degradeAfterDays} days without use, unless their salience is ` +
              `${config.salienceProtection} or more`,
          )
          if (report) print(`${report.degraded.length} aged, ${report.spared} spared`)
        } finally {
          await db.close()
        }
      },
    )
}
