import { profiles } from '@innkeeper/contract/profiles'
import { bind } from '../kit/api/client.ts'

export const profilesApi = bind('profiles', profiles)
