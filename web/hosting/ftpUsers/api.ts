import { ftpUsers } from '@innkeeper/contract/hosting/ftpUsers'
import { bind } from '../../kit/api/client.ts'

export const ftpUsersApi = bind('ftpUsers', ftpUsers)
