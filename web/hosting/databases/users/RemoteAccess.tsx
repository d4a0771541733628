import type { RemoteAccess as Access } from '@innkeeper/contract/hosting/databases/calls'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { toast } from '../../../kit/dialogs/toast.ts'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Facts } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { Mono } from '../../../kit/look/Mono.tsx'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { serversApi } from '../../../machines/servers/api.ts'
import { databasesApi } from '../api.ts'
import { engineWords } from '../words.ts'

/** Accounts with remote access to the databases of a server, compared with the present state of the server. */
export function RemoteAccess() {
  const lacking = useReason()
  const [open, setOpen] = useState(false)
  const [server, setServer] = useState<number>()
  const { data, error } = useQuery({
    ...databasesApi.remoteAccess.query({ server: server ?? 0 }),
    enabled: open && server !== undefined,
  })
  return (
    <>
      <ActButton
        variant="default"
        reason={lacking(databasesApi.remoteAccess) ?? lacking('server:server:read')}
        onClick={() => setOpen(true)}
      >
        Remote access
      </ActButton>
      <Dialog
        opened={open}
        onClose={() => setOpen(false)}
        title="Remote access to the databases of a server"
        size={860}
      >
        <Stack gap={14}>
          <PickOne
            label="Server"
            mono
            placeholder="Choose a server"
            call={serversApi.list}
            nameOf={({ name }) => name}
            value={server ?? null}
            onChange={(id) => setServer(id ?? undefined)}
          />
          {server !== undefined && !data && <Text c="dimmed">{error?.message ?? 'Asking the server…'}</Text>}
          {data && <Answer data={data} />}
        </Stack>
      </Dialog>
    </>
  )
}

const words: Record<Access['accounts'][number]['state'], [state: string, label: string]> = {
  open: ['active', 'Open'],
  locked: ['suspended', 'Locked'],
  missing: ['failed', 'Not open'],
}

function Answer({ data: { engines, accounts, strangers, address } }: { data: Access }) {
  const lacking = useReason()
  const again = async ({ id, host }: Access['accounts'][number]) => {
    const begun = await attempt(() => databasesApi.updateUser({ id, host }), ['databases', 'workflows'])
    if (begun) toast.info(`Opening the server for ${host}`, 'The list shows it as soon as the server has done it.')
  }
  return (
    <>
      <Facts
        of={engines.map((one) => [engineWords[one.engine], <Mono key={one.engine}>{engineLine(one, address)}</Mono>])}
      />
      <SectionTable
        label="Accounts with remote access"
        edges={false}
        narrow="scroll"
        maxHeight={360}
        rows={accounts}
        keyOf={({ id }) => id}
        empty="No account has remote access to the databases of this server."
        columns={[
          {
            title: 'Account',
            cell: ({ id, username, domain }) => (
              <>
                <LinkTo to="/databases/users/edit/$userId" params={{ userId: String(id) }}>
                  {username}
                </LinkTo>
                <Text c="dimmed" fz="xs">
                  {domain}
                </Text>
              </>
            ),
          },
          { title: 'Comes from', width: 170, cell: ({ host }) => <Mono>{host}</Mono> },
          { title: 'Engine', width: 110, cell: ({ engine }) => engineWords[engine] },
          { title: 'Databases', cell: ({ databases }) => <Mono>{databases.join(', ') || 'none'}</Mono> },
          {
            title: 'State',
            width: 110,
            cell: ({ state }) => <StatusBadge state={words[state][0]} label={words[state][1]} />,
          },
          {
            title: '',
            width: 120,
            cell: (one) =>
              one.state === 'missing' && (
                <ActButton
                  size="xs"
                  variant="default"
                  aria-label={`Open again for ${one.username} from ${one.host}`}
                  reason={lacking(databasesApi.updateUser)}
                  onClick={() => void again(one)}
                >
                  Open again
                </ActButton>
              ),
          },
        ]}
      />
      {strangers.map(({ engine, username, host }) => (
        <Text key={`${engine} ${username} ${host}`} c="red">
          The server lets {username} from {host} into {engineWords[engine]}, and Innkeeper has no such account.
        </Text>
      ))}
    </>
  )
}

function engineLine(
  { port, listens, guarded, fingerprint }: Access['engines'][number],
  address: string | null,
): string {
  if (listens === 'nowhere') return 'does not run'
  if (listens === 'loopback') return `port ${port} on this machine alone`
  const where = `${address ?? 'its address'}:${port}${guarded ? ', open for these accounts alone' : ', not guarded by Innkeeper'}`
  return fingerprint ? `${where}; certificate SHA-256 ${fingerprint}` : where
}
