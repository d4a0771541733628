import { auth } from '@innkeeper/contract/auth'
import { secondFactor } from '@innkeeper/contract/secondFactor'
import { bind } from '../kit/api/client.ts'

export const authApi = bind('auth', auth)
export const secondFactorApi = bind('secondFactor', secondFactor)
