import type { SmsBatch } from '@innkeeper/contract/desk/sms/calls'
import { Text } from '@mantine/core'
import { IconCheck, IconList, IconX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { useList } from '../../kit/list/useList.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { smsApi } from './api.ts'
import { batchColumns, outcomeOf } from './columns.tsx'

/** Messages grouped by send, including scheduled sends and alerts. */
export function BatchList() {
  const list = useList(smsApi.batches, { filters: ['kind', 'open'] })
  return (
    <ListTable
      name="sms-batches"
      noun={['send', 'sends']}
      list={list}
      columns={batchColumns}
      card={(batch) => (
        <div style={{ minWidth: 0 }}>
          <Text truncate>{batch.body}</Text>
          <Text c="dimmed" fz="xs" truncate>
            {outcomeOf(batch)}
          </Text>
        </div>
      )}
      label={({ body }) => body}
      menu={(batch) => <BatchActs batch={batch} />}
      filters={[
        {
          key: 'kind',
          label: 'Kind',
          options: [
            { value: 'message', label: 'Message' },
            { value: 'alert', label: 'Alert' },
          ],
        },
        {
          key: 'open',
          label: 'Scheduled',
          single: true,
          options: [
            { value: 'true', label: 'Scheduled' },
            { value: 'false', label: 'Went out' },
          ],
        },
      ]}
      empty={{ title: 'Nothing was sent yet', text: 'A send is one text to several recipients.', tag: 'SD' }}
    />
  )
}

function BatchActs({ batch: { id, kind, expandedAt, counts, acknowledgedAt } }: { batch: SmsBatch }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const cancel = async () => {
    const done = await attempt(() => smsApi.cancelBatch({ id }), ['sms'])
    if (done) toast.success('The waiting messages are cancelled')
  }
  const take = async () => {
    const done = await attempt(() => smsApi.acknowledge({ id }), ['sms'])
    if (done) toast.success('You take care of it')
  }
  return (
    <>
      <MenuAction
        label="Messages of the batch"
        icon={<IconList size={15} />}
        onClick={() => void navigate({ to: '.', search: { batchId: String(id) } })}
      />
      {kind === 'alert' && (
        <MenuAction
          label="Take care of it"
          icon={<IconCheck size={15} />}
          reason={acknowledgedAt ? 'Somebody does already' : undefined}
          onClick={() => void take()}
        />
      )}
      <MenuAction
        label="Cancel"
        danger
        icon={<IconX size={15} />}
        reason={
          lacking(smsApi.cancelBatch) ?? (expandedAt && !counts.queued ? 'None of its messages is waiting' : undefined)
        }
        onClick={() => void cancel()}
      />
    </>
  )
}
