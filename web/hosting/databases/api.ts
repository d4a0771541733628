import { databases } from '@innkeeper/contract/hosting/databases/calls'
import { bind } from '../../kit/api/client.ts'

export const databasesApi = bind('databases', databases)
