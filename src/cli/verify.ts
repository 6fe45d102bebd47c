import type { Command } from 'commander'
import type { EncryptionSecret } from '../api/encryption.js'
import type { VerifyReport } from '../api/verify.js'
import { verifyPath } from '../runtimes/node/verify.js'
import { DB_HELP, refuseWhenReadOnly } from './configuration.js'
import { expectMemory } from './existing.js'
import { MEMORY_PASSPHRASE_VARIABLE, memoryPassphrase } from './memory-passphrase.js'
import { EXIT, EXIT_HELP, print, printJson } from './output.js'
import { printable, terminalOf } from './terminal.js'

/** Adds `agidb verify` to the program. */
export function addVerify(program: Command): void {
  program
    .command('verify')
    .summary('read a memory from beginning to end and say what is wrong')
    .description(
      'Reads all that a memory has stored, compares it, and says what is wrong. Changes nothing without --repair.',
    )
    .option('--db <folder>', `the memory, a folder that agidb remember made; ${DB_HELP}`)
    .option('--repair', 'make again what can be made again; what cannot be read is kept beside, never deleted')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `
Example:
  $ agidb verify --db memory
${EXIT_HELP}`,
    )
    .action(verify)
}

async function verify({
  db: path,
  repair,
  json,
}: {
  readonly db: string
  readonly repair?: boolean
  readonly json?: boolean
}): Promise<void> {
  expectMemory(path)
  if (repair) refuseWhenReadOnly(path)
  const report = await verifyPath(path, { repair, secret: () => secretOf(path, repair) })
  if (json) printJson(report)
  else show(report)
  if (!report.ok) process.exitCode = EXIT.failed
}

/** Whoever only looks need not have it. */
async function secretOf(path: string, repair = false): Promise<EncryptionSecret | undefined> {
  const isGiven = (process.env[MEMORY_PASSPHRASE_VARIABLE] ?? '') !== ''
  return repair || isGiven ? { passphrase: await memoryPassphrase(path) } : undefined
}

const HARM = { none: 'mends itself', mendable: 'can be mended', loss: 'lost' } as const

function show({ ok, problems, checked, mended }: VerifyReport): void {
  const { style } = terminalOf(process.stdout)
  const number = (value: number): string => value.toLocaleString('en')
  print(
    `${number(checked.rows)} rows in ${number(checked.commits)} commits, ${number(checked.parts)} parts of the ` +
      `checkpoint, ${number(checked.bytes)} bytes`,
  )
  for (const { code, harm, count, message } of problems) {
    const outcome = mended.includes(code) ? 'mended' : HARM[harm]
    print(`${style('bold', code)}${count > 1 ? ` (${number(count)} times)` : ''}, ${outcome}: ${printable(message)}`)
  }
  print(ok ? 'all is well' : 'something is wrong; agidb verify --repair mends what can be mended')
}
