import { roles } from '@innkeeper/contract/roles'
import { bind } from '../kit/client.ts'

export const rolesApi = bind('roles', roles)
