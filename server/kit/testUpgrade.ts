import { openDatabase } from './db.ts'

/** `node testUpgrade.ts <database>`: starts as far as the schema. For tests. */
await (await openDatabase(process.argv[2] ?? '')).close()
