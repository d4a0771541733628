import type { MailboxUser } from '@innkeeper/contract/net/mailboxes/calls'
import { Text } from '@mantine/core'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { moment } from '../../../kit/look/format.ts'

/** Since when the server of a mailbox refuses its outgoing mail, and where people lift the stop. */
export const Stopped = ({ user: { address, stoppedAt } }: { user: MailboxUser }) => (
  <Text fz="xs">
    Too much outgoing mail: its server has refused more since {stoppedAt && moment(stoppedAt)}. Lift the stop in{' '}
    <LinkTo to="/mailboxes/senders" search={{ search: address }}>
      Outgoing mail
    </LinkTo>
    .
  </Text>
)
