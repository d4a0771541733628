import { sms } from '@innkeeper/contract/desk/sms/calls'
import { bind } from '../../kit/api/client.ts'

export const smsApi = bind('sms', sms)
