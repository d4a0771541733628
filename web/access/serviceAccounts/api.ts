import { serviceAccounts } from '@innkeeper/contract/access/serviceAccounts'
import { bind } from '../../kit/api/client.ts'

export const serviceAccountsApi = bind('serviceAccounts', serviceAccounts)
