import { Button, Group, List, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { count } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { scopesApi } from './api.ts'

type Synced = Awaited<ReturnType<typeof scopesApi.sync>>

/** Synchronises the stored permissions with the catalogue and shows the changes. */
export function SyncButton() {
  const reason = useReason()(scopesApi.sync)
  const [busy, setBusy] = useState(false)
  const [synced, setSynced] = useState<Synced>()
  const sync = async () => {
    setBusy(true)
    setSynced(await attempt(() => scopesApi.sync(), ['scopes', 'roles']))
    setBusy(false)
  }
  const close = () => setSynced(undefined)
  return (
    <>
      <ActButton
        visibleFrom="sm"
        variant="default"
        loading={busy}
        reason={reason}
        leftSection={<IconRefresh size={15} />}
        onClick={() => void sync()}
      >
        Sync permissions
      </ActButton>
      <Dialog opened={synced !== undefined} onClose={close} title="Permissions are synced" size={480}>
        <Stack gap={14}>
          {synced && <Changes synced={synced} />}
          <Group justify="flex-end">
            <Button onClick={close}>Close</Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}

function Changes({ synced: { added, removed, roles, total } }: { synced: Synced }) {
  if (added.length + removed.length + roles.length === 0)
    return <Text>All {count(total)} already match the catalogue. Nothing changed.</Text>
  return (
    <>
      <Text>There are {count(total)} now.</Text>
      <Changed title="New" scopes={added} />
      <Changed title="No more there" scopes={removed} />
      {roles.map(({ id, name, lost }) => (
        <Changed key={id} title={`${name} lost`} scopes={lost} />
      ))}
    </>
  )
}

const Changed = ({ title, scopes }: { title: string; scopes: readonly string[] }) =>
  scopes.length > 0 && (
    <div>
      <Text fw={500}>{title}</Text>
      <List mah={200} style={{ overflowY: 'auto' }}>
        {scopes.map((scope) => (
          <List.Item key={scope}>
            <Mono>{scope}</Mono>
          </List.Item>
        ))}
      </List>
    </div>
  )
