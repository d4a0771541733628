import type { Ban, IpSetView } from '@innkeeper/contract/machines/ipsets/shapes'
import { Alert, Group, Text, Tooltip } from '@mantine/core'
import { IconPencil, IconPlugConnected, IconShieldOff } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { succeeds } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { useList } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, counted } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { ipsetsApi } from './api.ts'
import { touched } from './SetActs.tsx'
import { banState, endOf } from './words.ts'

const EditModal = lazyPart(
  () => import('./EditModal.tsx'),
  () => null,
)

/** Bans of a set: as stored, or as read live from its servers. */
export function Bans({ set, create }: { set: IpSetView; create: ReactNode }) {
  const lacking = useReason()
  const [edited, setEdited] = useState<Ban>()
  const list = useList<typeof ipsetsApi.ips.endpoint, Ban>(ipsetsApi.ips, {
    filters: ['search', 'state', 'cache'],
    fixed: { id: set.name },
  })
  const asking = list.filters.cache?.[0] === 'false'
  const lift = async (bans: readonly Ban[]) => {
    const [first] = bans
    if (!first) return
    const what = bans.length === 1 ? first.ip : counted(bans.length, ['ban', 'bans'])
    const sure = await confirm({
      title: `Lift ${what}?`,
      text: 'Packets pass again, unless another ban covers them. Innkeeper records who lifted the ban.',
      verb: 'Lift ban',
    })
    if (!sure) return
    for (const { ip, version } of bans)
      if (!(await succeeds(() => ipsetsApi.unban({ set: set.name, ip, version }), touched))) return
    toast.success(`${what} ${bans.length === 1 ? 'is' : 'are'} lifted`)
  }
  const over = ({ endedAt }: Ban) => (endedAt ? 'The ban has ended already.' : undefined)
  return (
    <>
      <ListTable
        elsewhere={['cache']}
        name="bans"
        noun={['ban', 'bans']}
        list={list}
        columns={columns}
        card={(ban) => <BanCard ban={ban} />}
        label={({ ip }) => ip}
        menu={(ban) => (
          <>
            <MenuAction
              label="Change…"
              icon={<IconPencil size={15} />}
              reason={lacking(ipsetsApi.change) ?? over(ban)}
              onClick={() => setEdited(ban)}
            />
            <MenuAction
              label="Lift ban…"
              icon={<IconShieldOff size={15} />}
              reason={lacking(ipsetsApi.unban) ?? over(ban)}
              onClick={() => void lift([ban])}
            />
          </>
        )}
        bulk={(rows, clear) => (
          <ActButton
            size="xs"
            variant="default"
            leftSection={<IconShieldOff size={14} />}
            reason={lacking(ipsetsApi.unban) ?? (rows.some(over) ? 'Some of these have ended already.' : undefined)}
            onClick={() => void lift(rows).then(clear)}
          >
            Lift
          </ActButton>
        )}
        search={{ key: 'search', placeholder: 'Address, network or reason' }}
        filters={[
          {
            key: 'state',
            label: 'Bans',
            single: true,
            options: [
              { value: 'live', label: 'In force' },
              { value: 'ended', label: 'Ended' },
            ],
          },
          {
            key: 'cache',
            label: 'Servers',
            single: true,
            options: [
              { value: 'true', label: 'As last sent' },
              { value: 'false', label: 'Asked now' },
            ],
          },
        ]}
        notice={asking && <Asked list={list} />}
        empty={{
          title: 'Nothing is banned',
          text: 'Every server of the set drops packets of banned addresses and networks within a second.',
          action: create,
          tag: 'IP',
        }}
      />
      {edited && <EditModal set={set} ban={edited} close={() => setEdited(undefined)} />}
    </>
  )
}

const Asked = ({ list }: { list: { refetch: () => unknown } }) => (
  <Alert color="info" p="8px 14px" icon={<IconPlugConnected size={16} />}>
    <Group justify="space-between" gap={8}>
      <Text>
        The answers of the servers. A server that does not answer is shown with the last set that it was sent.
      </Text>
      <ActButton size="xs" variant="default" onClick={() => void list.refetch()}>
        Ask again
      </ActButton>
    </Group>
  </Alert>
)

const columns: readonly Column<Ban>[] = [
  {
    key: 'ip',
    title: 'Address',
    sort: 'ip',
    width: 260,
    csv: ({ ip }) => ip,
    cell: ({ ip }) => <Mono fw={450}>{ip}</Mono>,
  },
  {
    key: 'state',
    title: 'In force',
    width: 150,
    csv: (ban) => banState(ban).label,
    cell: (ban) => (
      <Tooltip
        label={`Not on ${ban.missingOn.slice(0, 8).join(', ')}${ban.missingOn.length > 8 ? ' and more' : ''}`}
        disabled={!ban.missingOn.length}
      >
        <span>
          <StatusBadge {...banState(ban)} />
        </span>
      </Tooltip>
    ),
  },
  {
    key: 'reason',
    title: 'Reason',
    csv: ({ reason }) => reason ?? '',
    cell: ({ reason }) => (
      <Text truncate c={reason ? undefined : 'dimmed'}>
        {reason ?? 'none given'}
      </Text>
    ),
  },
  {
    key: 'expiresAt',
    title: 'Until',
    sort: 'expiresAt',
    width: 150,
    csv: ({ expiresAt }) => expiresAt ?? '',
    cell: (ban) => <Text c="dimmed">{endOf(ban)}</Text>,
  },
  {
    key: 'at',
    title: 'Banned',
    spare: true,
    sort: 'at',
    width: 190,
    csv: ({ at }) => at,
    cell: ({ at, bannedBy, endedBy }) => (
      <Text c="dimmed" truncate title={endedBy ? `Ended by ${endedBy}` : undefined}>
        {ago(at)}, {bannedBy}
      </Text>
    ),
  },
]

/** Two lines on a phone. */
const BanCard = ({ ban }: { ban: Ban }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Mono fw={450} display="block" truncate>
        {ban.ip}
      </Mono>
      <Text c="dimmed" fz="xs" truncate>
        {ban.reason ?? 'no reason given'}, {endOf(ban)}
      </Text>
    </div>
    <StatusBadge {...banState(ban)} />
  </Group>
)
