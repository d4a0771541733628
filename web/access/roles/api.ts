import { roles } from '@innkeeper/contract/access/roles'
import { bind } from '../../kit/api/client.ts'

export const rolesApi = bind('roles', roles)
