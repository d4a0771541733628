import type { Mailbox } from '@innkeeper/contract/net/mailboxes/calls'
import { useState } from 'react'
import { useOwnerChoice } from '../../hosting/owners/useOwnerChoice.ts'
import { useWebsiteChoice } from '../../hosting/websites/useWebsiteChoice.ts'
import { useReason } from '../../kit/access/reasons.ts'
import { HeadLinks } from '../../kit/frame/HeadLinks.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { stateOf } from '../../kit/look/stateWords.ts'
import { useServerChoice } from '../../machines/servers/choice/useServerChoice.ts'
import { mailboxesApi } from './api.ts'
import { columns, MailboxCard } from './columns.tsx'
import { DeletedMail } from './DeletedMail.tsx'
import { MailboxActs } from './MailboxActs.tsx'
import StatusModal from './StatusModal.tsx'
import { statuses } from './words.ts'

export default function MailboxesScreen() {
  const website = useWebsiteChoice('websiteIds')
  const lacking = useReason()
  const list = useList(mailboxesApi.list, { filters: ['search', 'status', 'server', 'owner', 'websiteIds'] })
  const servers = useServerChoice(['mail', 'all-in-one'])
  // a mail domain without a website has no owner
  const owners = useOwnerChoice(
    'owner',
    list.rows.flatMap(({ ownerId, ownerName }) =>
      ownerId !== null && ownerName !== null ? [{ ownerId, ownerName }] : [],
    ),
  )
  const [toggled, setToggled] = useState<Mailbox>()
  const create = (
    <CreateButton call={mailboxesApi.create} to="/mailboxes/create">
      Create mail domain
    </CreateButton>
  )
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <>
          <DeletedMail />
          <HeadLinks
            label="All mailboxes and outgoing mail"
            links={[
              { title: 'All mailboxes', to: '/mailboxes/users/list' },
              { title: 'Outgoing mail', to: '/mailboxes/senders', reason: lacking(mailboxesApi.senders) },
            ]}
          />
          {create}
        </>
      }
    >
      <ListTable
        name="mailboxes"
        noun={['mail domain', 'mail domains']}
        list={list}
        columns={columns}
        card={(mailbox) => <MailboxCard mailbox={mailbox} />}
        label={({ domain }) => domain}
        open={({ id }) => `/mailboxes/edit/${id}`}
        menu={(mailbox) => <MailboxActs mailbox={mailbox} setStatus={() => setToggled(mailbox)} />}
        search={{ key: 'search', placeholder: 'Domain' }}
        filters={[
          ...website,
          {
            key: 'status',
            label: 'Status',
            options: statuses.map(({ value }) => ({ value, label: stateOf(value).word })),
          },
          ...servers,
          ...owners,
        ]}
        empty={{
          title: 'No mail domain yet',
          text: 'A mail domain receives and sends mail for its mailboxes. It can belong to a website: then it is suspended and deleted with it.',
          action: create,
          tag: '@',
        }}
      />
      {toggled && <StatusModal mailbox={toggled} close={() => setToggled(undefined)} />}
    </Screen>
  )
}
