import { profiles } from '@innkeeper/contract/profiles'
import { bind } from '../kit/client.ts'

export const profilesApi = bind('profiles', profiles)
