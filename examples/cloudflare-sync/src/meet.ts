// What a device does at the meeting point: it gives what the others lack, and takes what it lacks.
import type { Agidb, VersionVector } from 'agidb'

/** @throws Error with what the meeting point refused. What was exchanged until then stays. */
export async function meet(db: Agidb, url: string, token: string): Promise<void> {
  const ask = async (query = '', body?: ArrayBuffer): Promise<Response> => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(url + query, { headers, ...(body !== undefined && { method: 'POST', body }) })
    if (!answer.ok) throw new Error(`the meeting point refused: ${await answer.text()}`)
    return answer
  }
  let theirs: VersionVector = await (await ask()).json()
  for (let more = true; more; ) {
    const changes = await db.changes(theirs)
    if (changes.count > 0) await ask('', changes.bytes.slice().buffer)
    theirs = changes.vector
    more = changes.more
  }
  for (let more = true; more; ) {
    const answer = await ask(`?since=${encodeURIComponent(JSON.stringify(await db.versionVector()))}`)
    await db.apply(new Uint8Array(await answer.arrayBuffer()))
    more = answer.headers.get('agidb-more') === 'true'
  }
}
