import { openDatabase } from './kit/db.ts'
import { readSettings } from './kit/settings.ts'
import { resetAdministrator } from './users/administrator.ts'

/** `npm run reset-admin`: a new password for `admin`, printed once. */
const database = await openDatabase(readSettings().database)
const { password } = await resetAdministrator(database.db)
await database.close()
console.log(`admin signs in with ${password}`)
