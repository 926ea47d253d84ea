import { openStore, query } from './index.ts'

const s = await openStore({ folder: '/tmp/st1' })
console.log(await s.slow(query((db) => db.selectFrom('bots').selectAll())()))
console.log('closing')
const p = s.close()
console.log(process.getActiveResourcesInfo())
await p
console.log('closed')
