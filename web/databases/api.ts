import { databases } from '@innkeeper/contract/databases'
import { bind } from '../kit/api/client.ts'

export const databasesApi = bind('databases', databases)
