import { databases } from '@innkeeper/contract/databases'
import { bind } from '../kit/client.ts'

export const databasesApi = bind('databases', databases)
