/**
 * Takes the names of functions out of a WebAssembly file, which a page would fetch and never use:
 *
 *     npx tsx tools/strip-names.ts FILE
 *
 * `strip` of Cargo cannot do it: it also takes `target_features`, by which wasm-bindgen chooses how values cross.
 */
import { readFile, writeFile } from 'node:fs/promises'

/** Bytes before the first section: the magic number and the version. */
const HEADER = 8
const CUSTOM = 0
const DROPPED = ['name', 'producers']

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('give the WebAssembly file')
const bytes = await readFile(path)
const kept = [bytes.subarray(0, HEADER)]
for (let at = HEADER; at < bytes.length; ) {
  const size = unsigned(bytes, at + 1)
  const end = size.end + size.value
  if (bytes[at] !== CUSTOM || !DROPPED.includes(nameOf(size.end))) kept.push(bytes.subarray(at, end))
  at = end
}
await writeFile(path, Buffer.concat(kept))

function nameOf(at: number): string {
  const { value, end } = unsigned(bytes, at)
  return bytes.toString('utf8', end, end + value)
}

/** A number in LEB128 (WebAssembly specification, 5.2.2), and where it ends. */
function unsigned(from: Uint8Array, at: number): { readonly value: number; readonly end: number } {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = from[at++]
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return { value, end: at }
  }
}
