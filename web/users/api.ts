import { users } from '@innkeeper/contract/users'
import { bind } from '../kit/client.ts'

export const usersApi = bind('users', users)
