import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The binary in the optional dependency of the `deno` package for this machine: no install script has run. */
export function denoBinary(): string {
  const from = createRequire(createRequire(import.meta.url).resolve('deno/package.json'))
  const { platform, arch } = process
  const names = [`@deno/${platform}-${arch}-glibc`, `@deno/${platform}-${arch}`]
  for (const name of names) {
    try {
      const binary = join(dirname(from.resolve(`${name}/package.json`)), platform === 'win32' ? 'deno.exe' : 'deno')
      if (existsSync(binary)) return binary
    } catch {
      continue
    }
  }
  throw new Error(`Deno is not installed for ${platform} ${arch}; looked for ${names.join(', ')}`)
}
