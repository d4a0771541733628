import type { MailSender } from '@innkeeper/contract/net/mailboxes/senders'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { useList } from '../../../kit/list/useList.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { useServerChoice } from '../../../machines/servers/choice/useServerChoice.ts'
import { mailboxesApi } from '../api.ts'
import { columns, SenderCard } from './columns.tsx'

/** Who sends how much mail, and who is stopped. */
export default function SendersScreen() {
  const list = useList(mailboxesApi.senders, { filters: ['search', 'server', 'stopped'], still: true })
  const servers = useServerChoice(['mail', 'all-in-one'])
  return (
    <Screen scroll={false} count={listCount(list)}>
      <ListTable
        name="mail-senders"
        noun={['sender', 'senders']}
        list={list}
        columns={columns}
        card={(sender) => <SenderCard sender={sender} />}
        label={({ sender }) => sender}
        open={({ mailboxUserId, systemUserId }) =>
          mailboxUserId === null ? `/system-users/edit/${systemUserId}` : `/mailboxes/users/edit/${mailboxUserId}`
        }
        menu={(sender) => <Acts sender={sender} />}
        search={{ key: 'search', placeholder: 'Address or account' }}
        filters={[
          {
            key: 'stopped',
            label: 'Stop',
            options: [
              { value: 'yes', label: 'Stopped' },
              { value: 'no', label: 'Not stopped' },
            ],
          },
          ...servers,
        ]}
        empty={{
          title: 'No outgoing mail in the last day',
          text: 'Mailboxes and programs of websites are counted by the mail server that they send from.',
          tag: '@',
        }}
      />
    </Screen>
  )
}

function Acts({ sender }: { sender: MailSender }) {
  const lacking = useReason()
  const reason = lacking(mailboxesApi.liftStop) ?? (sender.stoppedAt === null ? 'Is not stopped' : undefined)
  return (
    <>
      <MenuAction label="Lift the stop, send what is held…" reason={reason} onClick={() => void lift(sender, 'send')} />
      <MenuAction
        label="Lift the stop, delete what is held…"
        danger
        reason={reason}
        onClick={() => void lift(sender, 'delete')}
      />
    </>
  )
}

async function lift({ id, sender }: MailSender, held: 'send' | 'delete'): Promise<void> {
  const sure = await confirm({
    title: `Lift the stop of ${sender}?`,
    text:
      held === 'send'
        ? 'Its held mail is sent, and its count begins anew. If somebody guessed its password, change the password first.'
        : 'Its held mail is deleted and cannot be restored. Its count begins anew.',
    verb: 'Lift the stop',
    danger: held === 'delete',
  })
  if (!sure) return
  const done = await attempt(async () => {
    await mailboxesApi.liftStop({ id, held })
    return true
  }, ['mailboxes'])
  if (done) toast.info(`${sender} may send again`)
}
