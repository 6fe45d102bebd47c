/**
 * The command line of a bench. `--help` prints what the bench takes. A mistake of the caller is answered with a
 * sentence that says what to do; a fault of the bench itself keeps its stack.
 */
import { parseArgs, type ParseArgsConfig } from 'node:util'

/** A mistake of the caller: an unknown name, a missing file, a missing browser. The message says what to do. */
export class UsageError extends Error {}

/**
 * Reads the arguments of this process. With `--help` it prints the help and ends the process with 0. From then on a
 * {@link UsageError}, an unknown option or a missing file ends the process with 2 and a sentence.
 *
 * @param help what the bench measures, and its options
 * @param config as for `parseArgs` of `node:util`
 */
export function commandLine<const C extends ParseArgsConfig>(help: string, config: C): ReturnType<typeof parseArgs<C>> {
  process.on('uncaughtException', (error: Error) => {
    const sentence = sentenceOf(error)
    console.error(sentence ?? error)
    process.exit(sentence === undefined ? 1 : 2)
  })
  if (process.argv.includes('--help')) {
    console.log(help.trim())
    process.exit(0)
  }
  return parseArgs(config)
}

/** What to tell a caller who made a mistake; `undefined` for any other fault. */
function sentenceOf(error: Error & { readonly code?: string; readonly path?: string }): string | undefined {
  if (error instanceof UsageError) return error.message
  if (error.code?.startsWith('ERR_PARSE_ARGS')) return `${error.message.split('. ')[0]}; --help lists the options`
  if (error.path === undefined) return undefined
  if (error.code === 'ENOENT') return `there is no file or folder ${error.path}; give one that is there`
  if (error.code === 'ENOTDIR') return `${error.path} is a file; give a folder`
  return undefined
}
