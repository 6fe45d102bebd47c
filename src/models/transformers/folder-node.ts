import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { obtain } from '../files.js'
import { nodeFiles } from '../node-files.js'
import { hashOfAll, modelFiles, type OpenFolder } from './folder.js'

/** Opens a folder of this machine. transformers.js reads its files by itself. */
export const openNodeFolder: OpenFolder = async (_, loading) => {
  const { folder, sha256 } = loading
  const read = (name: string) => readFile(join(folder, name))
  const files = await modelFiles(loading, read)
  const hashes: string[] = []
  for (const [i, name] of files.entries())
    hashes.push((await obtain('model', join(folder, name), i === 0 ? sha256 : undefined, nodeFiles({}))).hash)
  return { path: folder, hash: hashOfAll(hashes), read, release: () => {} }
}
