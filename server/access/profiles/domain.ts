import { profiles as profilesContract } from '@innkeeper/contract/access/profiles'
import type { Domain } from '../../domain.ts'
import { departmentOfUser } from '../../kit/app/departmentsOf.ts'
import { calls } from '../../kit/http/api.ts'
import { profilesHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const profiles: Domain = {
  calls: [calls('profiles', profilesContract, profilesHandlers)],
  tables,
  readScopes: { profiles: [] },
  departmentsOf: { profiles: departmentOfUser },
}
