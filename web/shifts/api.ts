import { shifts } from '@innkeeper/contract/shifts'
import { bind } from '../kit/api/client.ts'

export const shiftsApi = bind('shifts', shifts)
