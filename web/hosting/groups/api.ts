import { groups } from '@innkeeper/contract/hosting/groups'
import { bind } from '../../kit/api/client.ts'

export const groupsApi = bind('groups', groups)
