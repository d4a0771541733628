import * as z from 'zod'
import { filter, get, listQuery, pageOf, stored } from './kit.ts'
import { phpVersion } from './values.ts'

/** What an owner's account on a server may use. MiB, percent of one core, counts. */
export const Plan = z.object({
  ...stored,
  name: z.string(),
  diskMb: z.int(),
  memoryMb: z.int(),
  cpuPercent: z.int(),
  tasks: z.int(),
  websites: z.int(),
  databases: z.int(),
  mailboxes: z.int(),
  ftpUsers: z.int(),
  phpVersions: z.array(phpVersion),
})
export type Plan = z.output<typeof Plan>

export const plans = {
  list: get('/system-user/plans', 'system-user:plan:read', {
    summary: 'All plans',
    query: { ...listQuery(['name', 'diskMb', 'memoryMb']), search: filter(z.string().trim().max(80)) },
    returns: pageOf(Plan),
  }),
  one: get('/system-user/plans/:id', 'system-user:plan:read', { summary: 'One plan', returns: Plan }),
}
