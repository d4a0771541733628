import { systemUsers } from '@innkeeper/contract/systemUsers'
import { bind } from '../kit/client.ts'

export const systemUsersApi = bind('systemUsers', systemUsers)
