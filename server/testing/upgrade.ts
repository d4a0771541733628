import { openDatabase } from '../kit/db/open.ts'

/** `node upgrade.ts <database>`: starts as far as the schema. For tests. */
await (await openDatabase(process.argv[2] ?? '')).close()
