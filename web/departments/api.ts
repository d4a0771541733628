import { departments } from '@innkeeper/contract/departments'
import { bind } from '../kit/client.ts'

export const departmentsApi = bind('departments', departments)
