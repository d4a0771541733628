import { shifts } from '@innkeeper/contract/planning/shifts/calls'
import { bind } from '../../kit/api/client.ts'

export const shiftsApi = bind('shifts', shifts)
