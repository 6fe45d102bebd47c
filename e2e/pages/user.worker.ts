import { Agidb, AgidbError } from '../../src/runtimes/browser/index.js'

/** A worker of any kind that uses the library: says on a channel what came of it. */
async function use(): Promise<string> {
  try {
    const db = await Agidb.open({ name: 'user', codebook: 'none' })
    await db.observe('Seen by a worker.')
    const { role, durability, episodes } = await db.stats()
    await db.close()
    return `${role} ${durability} ${episodes}`
  } catch (error) {
    return error instanceof AgidbError ? `${error.code}: ${error.message}` : String(error)
  }
}

// Of its own, by the kind of worker that it is.
const channel = new BroadcastChannel(`user-${new URL(location.href).searchParams.get('kind')}`)
let came: Promise<string> | undefined
channel.onmessage = () => void (came ??= use()).then((words) => channel.postMessage(words))
