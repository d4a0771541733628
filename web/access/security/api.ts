import { auth } from '@innkeeper/contract/access/auth'
import { passkeys } from '@innkeeper/contract/access/passkeys'
import { secondFactor } from '@innkeeper/contract/access/secondFactor'
import { bind } from '../../kit/api/client.ts'

export const authApi = bind('auth', auth)
export const secondFactorApi = bind('secondFactor', secondFactor)
export const passkeysApi = bind('passkeys', passkeys)
