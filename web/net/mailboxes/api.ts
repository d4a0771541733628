import { mailboxes } from '@innkeeper/contract/net/mailboxes/calls'
import { bind } from '../../kit/api/client.ts'

export const mailboxesApi = bind('mailboxes', mailboxes)
