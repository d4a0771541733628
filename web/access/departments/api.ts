import { departments } from '@innkeeper/contract/access/departments'
import { bind } from '../../kit/api/client.ts'

export const departmentsApi = bind('departments', departments)
