import { webhookStates } from '@innkeeper/contract/access/webhooks'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { webhooksApi } from './api.ts'
import { columns, WebhookCard } from './columns.tsx'
import { WebhookActs } from './WebhookActs.tsx'

export default function WebhooksScreen() {
  const list = useList(webhooksApi.list, { filters: ['search', 'state', 'owner'] })
  const create = (
    <CreateButton call={webhooksApi.create} to="/webhooks/create">
      Create webhook
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="webhooks"
        noun={['webhook', 'webhooks']}
        list={list}
        columns={columns}
        card={(hook) => <WebhookCard hook={hook} />}
        label={({ name }) => name}
        open={({ id }) => `/webhooks/${id}`}
        menu={(hook) => <WebhookActs hook={hook} />}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={[
          {
            key: 'state',
            label: 'State',
            single: true,
            options: webhookStates.map((value) => ({ value, label: value })),
          },
        ]}
        empty={{
          title: 'No webhook yet',
          text: 'A webhook tells a program of yours which object changed, signed and in order. The program reads the object with its own token.',
          action: create,
          tag: 'WH',
        }}
      />
    </Screen>
  )
}
