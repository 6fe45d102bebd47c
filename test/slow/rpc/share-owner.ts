/** Opens the folder that is named on the command line with `share: true`, says so, and keeps it open. */
import { Agidb } from '../../../src/runtimes/node/index.js'

const db = await Agidb.open({
  path: process.argv[2]!,
  share: true,
  codebook: 'none',
  extract: 'none',
  autoConsolidate: false,
})
await db.count()
console.log('open')
setInterval(() => {}, 60_000)
