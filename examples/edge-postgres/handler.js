// A memory for each user in PostgreSQL, for any place that has `Request` and `Response`.
// POST /ann remembers the body, GET /ann?q=… recalls.
import { Agidb, AgidbError } from 'agidb/edge'
import { postgresStorage } from 'agidb/postgres'

/** How often a request begins anew when another one wrote to the same memory meanwhile. */
const ATTEMPTS = 5

/**
 * @param driver what runs SQL over HTTP: `{ query(text, values) }`
 * @param kernel the compiled kernel.wasm; without it the TypeScript kernel gives the same answers more slowly
 * @returns a function of a `Request` that answers a `Response`
 */
export function memoryHandler(driver, kernel) {
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    const namespace = pathname.split('/').at(-1)
    const text = request.method === 'POST' ? await request.text() : undefined
    for (let attempt = 1; ; attempt++) {
      try {
        // An isolate may be gone after any answer, and another one may write: each request opens the memory.
        const db = await Agidb.open({ storage: postgresStorage(driver, { namespace }), kernel, learnFromRecall: false })
        try {
          if (text !== undefined) return Response.json({ id: await db.observe(text) })
          const { matches } = await db.recall(searchParams.get('q') ?? '', { k: 5 })
          return Response.json(matches.map(({ text, confidence }) => ({ text, confidence })))
        } finally {
          await db.close()
        }
      } catch (error) {
        if (!(error instanceof AgidbError)) throw error
        if (error.code === 'AGIDB_IN_USE' && attempt < ATTEMPTS) continue
        return Response.json({ code: error.code, message: error.message }, { status: 400 })
      }
    }
  }
}
