import type { ipsets as contract } from '@innkeeper/contract/machines/ipsets/calls'
import type { Handlers } from '../../kit/http/api.ts'
import { bansHandlers } from './bans/bans.ts'
import { bring } from './bans/import.ts'
import { listBans } from './list.ts'
import { setsHandlers } from './sets.ts'

export const ipsetsHandlers: Handlers<typeof contract> = {
  ...setsHandlers,
  ...bansHandlers,
  ips: listBans,
  bring,
}
