import type { QueuedMail } from '@innkeeper/contract/net/mailboxes/mailTrace'
import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { Reading } from '../../kit/frame/Reading.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, counted } from '../../kit/look/format.ts'
import { mailboxesApi } from './api.ts'
import css from './Mailboxes.module.css'

type Act = 'retry' | 'hold' | 'release' | 'delete'

/** Opens the queue of a mail server, read from the server now. */
export function QueueButton({ server, name }: { server: number; name: string }) {
  const lacking = useReason()
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActButton variant="default" reason={lacking(mailboxesApi.queue)} onClick={() => setOpen(true)}>
        Queue
      </ActButton>
      {open && <Queue server={server} name={name} close={() => setOpen(false)} />}
    </>
  )
}

function Queue({ server, name, close }: { server: number; name: string; close: () => void }) {
  const { data, error, refetch, isFetching } = useQuery(mailboxesApi.queue.query({ server }))
  return (
    <Dialog opened onClose={close} title={`Queue of ${name}`} size={760}>
      <Group justify="space-between" mb={10}>
        <Text c="dimmed">
          {error?.message ?? (data ? `${counted(data.total, ['message', 'messages'])} wait` : <Reading />)}
        </Text>
        <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
          Read again
        </Button>
      </Group>
      {data?.items.map((one) => (
        <Line key={one.id} server={server} one={one} />
      ))}
    </Dialog>
  )
}

function Line({ server, one }: { server: number; one: QueuedMail }) {
  const lacking = useReason()
  const act = async (act: Act) => {
    const sure =
      act !== 'delete' ||
      (await confirm({
        title: 'Delete this message?',
        text: `From ${one.sender || 'the mail server'} to ${one.recipients.map(({ address }) => address).join(', ')}. It cannot be restored, and the sender is not notified.`,
        verb: 'Delete message',
        danger: true,
      }))
    if (sure) await attempt(() => mailboxesApi.actOnQueue({ server, queueId: one.id, act }), ['mailboxes'])
  }
  const reason = lacking(mailboxesApi.actOnQueue)
  const held = one.queue === 'hold'
  return (
    <div className={css.line}>
      <div className={css.grow}>
        <Text fw={450}>
          {one.sender || 'the mail server'} → {one.recipients.map(({ address }) => address).join(', ')}
        </Text>
        <Text c="dimmed" fz="xs">
          {held ? 'Held' : 'Waits'}, since {ago(one.at)}. {one.recipients[0]?.why}
        </Text>
      </div>
      <Group gap={8}>
        <ActButton size="xs" variant="default" reason={reason} onClick={() => void act('retry')}>
          Retry
        </ActButton>
        <ActButton size="xs" variant="default" reason={reason} onClick={() => void act(held ? 'release' : 'hold')}>
          {held ? 'Release' : 'Hold'}
        </ActButton>
        <ActButton size="xs" variant="default" reason={reason} onClick={() => void act('delete')}>
          Delete…
        </ActButton>
      </Group>
    </div>
  )
}
