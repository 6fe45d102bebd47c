import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const FILES = ['package.json', 'package-lock.json', '.npmrc']

/** The folder in which the bundlers are installed, by the lock file beside this module. */
export const toolsFolder = () => installed(HERE, 'bundlers')

/**
 * A folder in which the packages of a lock file are installed: in the user's cache, installed when it is first needed.
 * It is outside of this repository, because some bundlers take settings (`tsconfig.json`) from the folders above a
 * project.
 */
export async function installed(from: string, title: string): Promise<string> {
  const lock = await readFile(join(from, 'package-lock.json'))
  const name = createHash('sha256').update(lock).digest('hex').slice(0, 12)
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const folder = join(cache, `agidb-test-${title}`, name)
  if (!existsSync(folder)) {
    const draft = `${folder}.${process.pid}`
    await mkdir(draft, { recursive: true, mode: 0o700 })
    for (const file of FILES) await copyFile(join(from, file), join(draft, file))
    // Not `npm ci`, which refuses a lock file that lacks the binaries for other platforms; this lock file has those for
    // Linux alone.
    await promisify(execFile)('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: draft,
    })
    await rename(draft, folder).catch(() => rm(draft, { recursive: true })) // another run was quicker
  }
  return folder
}

/** The names and versions of what is installed there, one a line. */
export async function versions(): Promise<string> {
  const { dependencies } = JSON.parse(await readFile(join(HERE, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  return Object.entries(dependencies)
    .map(([name, version]) => `${name} ${version}`)
    .join('\n')
}
