import { profiles } from '@innkeeper/contract/access/profiles'
import { bind } from '../../kit/api/client.ts'

export const profilesApi = bind('profiles', profiles)
