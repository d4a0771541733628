import { mailboxes } from '@innkeeper/contract/mailboxes'
import { bind } from '../kit/api/client.ts'

export const mailboxesApi = bind('mailboxes', mailboxes)
