import Database from 'libsql'
import { sqliteStorage } from '../../src/storage/adapters/sqlite/index.js'
import { commitOf } from './commits.js'

/**
 * Commits to an SQLite database until it is killed, and prints how many are stored: `sqlite-writer.ts FILE COMMITS`,
 * with the number of those that are there.
 */

const [, , path, from] = process.argv
const { rows } = await sqliteStorage(new Database(path)).open(() => undefined)
for (let index = Number(from); ; index++) {
  await rows.commit(commitOf(index))
  process.stdout.write(`${index + 1}\n`)
}
