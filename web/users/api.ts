import { users } from '@innkeeper/contract/users'
import { bind } from '../kit/api/client.ts'

export const usersApi = bind('users', users)
