// Runs in Deno: `deno run deno.ts FOLDER` prints the answers of the edge entry and of the entry that Deno gets for
// `agidb`, which keeps its memory in that folder.
import { Agidb } from 'agidb'
import { Agidb as Edge } from 'agidb/edge'
import { argv } from 'node:process'
import { PERCEIVING, perceivedBits } from './perceived-bits.ts'
import { FIXED, rememberAndRecall } from './remember-and-recall.ts'

const edge = await rememberAndRecall(await Edge.open({ storage: 'memory', ...FIXED }))
const folder = await rememberAndRecall(await Agidb.open({ path: argv[2], ...FIXED }))
const again = await Agidb.open({ path: argv[2] })
const { episodes } = await again.stats()
await again.close()
const reading = await Agidb.open({ storage: 'memory', codebook: 'none' })
const id = await reading.observe('Sarah recommended Bawri, a thai place in Bandra.')
await reading.recall('anything', { whole: true })
const stated = (await reading.getEpisode(id))!.triples.map(({ predicate }) => predicate)
await reading.close()
const bits = await perceivedBits(await Agidb.open({ storage: 'memory', ...PERCEIVING }))
console.log(JSON.stringify({ edge, folder, reopened: episodes, stated, bits }))
