import { openDatabase } from '../kit/db/open.ts'

/** For tests: `node upgrade.ts <database>` runs the migrations, and ends. */
await (await openDatabase(process.argv[2] ?? '')).close()
