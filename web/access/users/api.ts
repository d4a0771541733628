import { users } from '@innkeeper/contract/access/users/calls'
import { bind } from '../../kit/api/client.ts'

export const usersApi = bind('users', users)
