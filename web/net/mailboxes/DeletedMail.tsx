import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, moment } from '../../kit/look/format.ts'
import { restore } from './acts.ts'
import { mailboxesApi } from './api.ts'
import css from './Mailboxes.module.css'

/** Deleted mail domains and mailboxes, as long as their servers keep the mail. */
export function DeletedMail({ websiteId }: { websiteId?: number }) {
  const [open, setOpen] = useState(false)
  const { data } = useQuery(mailboxesApi.trash.query({ ...(websiteId !== undefined && { websiteId }) }))
  if (!data?.total) return null
  return (
    <>
      <Button variant="default" size={websiteId === undefined ? undefined : 'xs'} onClick={() => setOpen(true)}>
        Trash ({data.total})
      </Button>
      <Dialog opened={open} onClose={() => setOpen(false)} title="Deleted mail" size={620}>
        <Stack gap={0}>
          {data.items.map((one) => (
            <Deleted key={`${one.kind} ${one.id}`} one={one} />
          ))}
        </Stack>
      </Dialog>
    </>
  )
}

function Deleted({ one }: { one: Parameters<typeof restore>[0] }) {
  const lacking = useReason()
  return (
    <div className={css.line}>
      <div>
        <Text fw={450}>{one.name}</Text>
        <Text c="dimmed" fz="xs">
          {one.kind === 'domain' ? 'Mail domain' : 'Mailbox'}, deleted {ago(one.deletedAt)}; kept on {one.serverName}{' '}
          until {moment(one.purgeAfter)}
        </Text>
      </div>
      <ActButton
        size="xs"
        variant="default"
        reason={lacking(one.kind === 'domain' ? mailboxesApi.restore : mailboxesApi.restoreUser)}
        onClick={() => void restore(one)}
      >
        Restore
      </ActButton>
    </div>
  )
}
