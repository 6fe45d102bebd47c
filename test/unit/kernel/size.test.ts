import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

/**
 * Bytes that are allowed; to be lowered whenever the kernel gets smaller. Among them are XChaCha20-Poly1305, by which
 * what is stored is encrypted, and the graphs.
 */
const LIMIT = 65_200

test(`the built kernel is at most ${LIMIT} bytes, compressed with gzip at level 9`, async () => {
  const built = await readFile(new URL('../../../src/kernel/built/agidb_kernel_bg.wasm', import.meta.url))
  expect(gzipSync(built, { level: 9 }).length).toBeLessThanOrEqual(LIMIT)
})
