import { BUILT_CODEBOOK } from '../../src/encoding/codebook/built.js'

const REMEMBER = `
  const { episodes } = await db.stats()
  if (episodes === 0) await db.observe('Bawri is a thai place in Bandra.', { speaker: 'Sarah' })
  const { matches } = await db.recall('which thai place was mentioned last week?', { whole: true })
  const { kernel, codebook } = await db.stats()
  await db.close()
  return { before: episodes, text: matches[0].text, kernel, codebook }
`

/**
 * A function `remember` that remembers something the first time, and answers what it recalls. `open`: the options, as
 * they are written.
 */
export const remembering = (open: string, from = 'agidb'): string => `import { Agidb } from '${from}'
async function remember() {
  const db = await Agidb.open(${open})${REMEMBER}}
`

/** A page that says what it recalls, as {@link visit} awaits it. */
export const page = (open: string): string => `${remembering(open)}
const failed = ({ code, message }) => ({ code, message })
remember().catch(failed).then((seen) => Object.assign(globalThis, { seen }))
`

/** A program that prints what it recalls; or the code and the message of the error that it gets. */
export const program = (open: string): string => `${remembering(open)}
const failed = ({ code, message }) => ({ code, message })
remember().catch(failed).then((said) => console.log(JSON.stringify(said)))
`

/** What each of them says the first time: that a word of the cue was found, and that nothing was left out. */
export const FIRST = {
  before: 0,
  text: 'Bawri is a thai place in Bandra.',
  kernel: 'wasm-simd',
  codebook: BUILT_CODEBOOK,
}

/** What it says the second time. */
export const SECOND = { ...FIRST, before: 1 }

/** Turns {@link FIRST} into what is said by the edge entry, which has no codebook unless it is given one. */
export const ON_THE_EDGE = { ...FIRST, codebook: 'none' }
