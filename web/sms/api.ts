import { sms } from '@innkeeper/contract/sms'
import { bind } from '../kit/api/client.ts'

export const smsApi = bind('sms', sms)
