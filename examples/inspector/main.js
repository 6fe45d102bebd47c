// A page that shows what its memory holds: npm install agidb vite, then npx vite.
import { Agidb } from 'agidb'
import 'agidb/inspector'

const db = await Agidb.open({ name: 'my-agent', extract: 'rules' })
if ((await db.count()) === 0) {
  const bawri = await db.observe('Sarah recommended Bawri, a thai place in Bandra.', { speaker: 'Sarah' })
  await db.observe('The dentist is on Hill Road.', { speaker: 'Tom', source: 'mail' })
  await db.assertBelief({ claim: 'Bawri is good.', confidence: 0.8, evidence: [bawri] })
  await db.setGoal({ description: 'Eat at Bawri' })
}
document.querySelector('agidb-inspector').db = db
