import { adoptions } from '@innkeeper/contract/recovery/adoptions/calls'
import { bind } from '../../kit/api/client.ts'

export const adoptionsApi = bind('adoptions', adoptions)
