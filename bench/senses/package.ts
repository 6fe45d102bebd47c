import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../command.js'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/agidb-bench', import.meta.url))

/**
 * The folder of a package that npm has, which is downloaded once and not installed.
 *
 * @param version such as `name@1.2.3`
 */
export function packageFolder(version: string): string {
  const folder = join(CACHE, version.replaceAll('/', '-'))
  if (existsSync(folder)) return folder
  console.error(`downloading ${version}`)
  mkdirSync(CACHE, { recursive: true })
  const work = mkdtempSync(join(tmpdir(), 'agidb-package-'))
  try {
    const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', work, version], { encoding: 'utf8' })
    execFileSync('tar', ['-xzf', join(work, packed.trim()), '-C', CACHE, '--one-top-level=unpacking'])
    renameSync(join(CACHE, 'unpacking', 'package'), folder)
  } catch (error) {
    throw new UsageError(`${version} cannot be downloaded: ${(error as Error).message.split('\n')[0]}`)
  } finally {
    rmSync(work, { recursive: true, force: true })
    rmSync(join(CACHE, 'unpacking'), { recursive: true, force: true })
  }
  return folder
}
