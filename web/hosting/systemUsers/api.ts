import { systemUsers } from '@innkeeper/contract/hosting/systemUsers'
import { bind } from '../../kit/api/client.ts'

export const systemUsersApi = bind('systemUsers', systemUsers)
