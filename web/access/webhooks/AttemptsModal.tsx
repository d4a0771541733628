import type { Delivery } from '@innkeeper/contract/access/webhooks'
import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'
import { moment } from '../../kit/look/format.ts'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { webhooksApi } from './api.ts'

/** What was sent, and how the receiver answered each time. */
export function AttemptsModal({ id, message, close }: { id: number; message: Delivery; close: () => void }) {
  const { data, error } = useQuery(webhooksApi.attempts.query({ id, delivery: message.id }))
  return (
    <Dialog opened onClose={close} title={message.messageId} size={720}>
      <Stack gap={14}>
        {error && <Text c="error">{error.message}</Text>}
        {!data && !error && <Skeleton h={120} />}
        {data && (
          <>
            <CodeBlock label="payload">{data.payload}</CodeBlock>
            <SectionTable
              label="Attempts"
              edges={false}
              rows={data.attempts}
              keyOf={({ at }) => at}
              columns={[
                { title: 'At', cell: ({ at }) => moment(at), width: 150 },
                { title: 'Answer', cell: ({ status }) => status ?? 'none', width: 80 },
                { title: 'ms', align: 'right', cell: ({ ms }) => ms, width: 70 },
                { title: 'Text', cell: ({ body, error: why }) => (body || why) ?? '' },
              ]}
              empty="The message has not been sent yet."
            />
          </>
        )}
      </Stack>
    </Dialog>
  )
}
