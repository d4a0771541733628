import { systemUsers } from '@innkeeper/contract/systemUsers'
import { bind } from '../kit/api/client.ts'

export const systemUsersApi = bind('systemUsers', systemUsers)
