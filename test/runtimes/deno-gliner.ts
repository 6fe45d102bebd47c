// Runs in Deno: `deno run deno-gliner.ts OPTIONS TEXTS` prints the entities that models find, those of each in turn.
import { argv } from 'node:process'
import type { GlinerOptions } from 'agidb/gliner'
import { entitiesOf } from './gliner.ts'

const [options, texts] = argv.slice(2).map((json) => JSON.parse(json) as unknown)
const found: unknown[] = []
for (const one of options as GlinerOptions[]) found.push(await entitiesOf(one, texts as string[]))
console.log(JSON.stringify(found))
