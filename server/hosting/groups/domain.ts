import { groups as groupsContract } from '@innkeeper/contract/hosting/groups'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { groupsHandlers } from './handlers.ts'

export const groups: Domain = {
  calls: [calls('groups', groupsContract, groupsHandlers)],
  subjects: { group: { see: 'website:group:read', act: 'website:group:update' } },
  readScopes: { groups: ['website:group:read'] },
}
