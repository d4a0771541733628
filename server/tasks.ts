import { seed } from '../seed/seed.ts'
import type { Task } from './kit/maintenance.ts'
import { resetAdministrator } from './users/administrator.ts'

/** What operators run from the command line. */
export const tasks = {
  seed,
  'reset-admin': async (db, say) => {
    const { password } = await resetAdministrator(db)
    say(`admin signs in with ${password}`)
  },
} as const satisfies Record<string, Task>
