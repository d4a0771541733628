import { groups } from '@innkeeper/contract/groups'
import { bind } from '../kit/api/client.ts'

export const groupsApi = bind('groups', groups)
