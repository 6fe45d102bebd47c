// A memory in the page: npm install agidb vite, then npx vite. It is stored in the browser, and works offline.
import { Agidb } from 'agidb'

const db = await Agidb.open({ name: 'my-agent' })
await db.observe('Sarah recommended Bawri, a thai place in Bandra.', { speaker: 'Sarah' })
const { matches } = await db.recall('which thai place was it?')
document.querySelector('#answer').textContent = matches[0].text
