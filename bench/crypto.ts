/** What encryption costs: `npm run bench:crypto`. */
import { ciphersCost } from './crypto/ciphers.js'
import { memoryCost } from './crypto/memory.js'
import { ringCost } from './crypto/ring.js'
import { commandLine } from './command.js'

const HELP = `
What encryption costs: of ciphers, of the ring of keys, and of a memory with encryption beside one without.

  npm run bench:crypto -- [--only ciphers,ring,memory] [--rounds N] [--episodes N]

  --rounds N     pairs of memories, with and without, by turns (default 5)
  --episodes N   in each (default 10000)
`

const { values } = commandLine(HELP, {
  options: {
    only: { type: 'string', default: 'ciphers,ring,memory' },
    rounds: { type: 'string', default: '5' },
    episodes: { type: 'string', default: '10000' },
  },
})
const parts = values.only.split(',')
if (parts.includes('ciphers')) await ciphersCost()
if (parts.includes('ring')) for (const units of [100, 10_000]) await ringCost(units)
if (parts.includes('memory')) await memoryCost(Number(values.rounds), Number(values.episodes))
