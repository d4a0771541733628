import type { Recovery } from '@innkeeper/contract/access/recovery'
import type { Link } from '@innkeeper/contract/access/users/shapes'
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../../kit/access/session.ts'
import { attempt, succeeds } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { lazyDialog } from '../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { NameCell } from '../../kit/list/NameCell.tsx'
import { useList } from '../../kit/list/useList.ts'
import { ago } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { recoveryApi } from './api.ts'

const LinkModal = lazyDialog(() => import('../users/dialogs/LinkModal.tsx'))

const words = {
  confirmed: { state: 'done', label: 'Confirmed' },
  refused: { state: 'none', label: 'Refused' },
  expired: { state: 'none', label: 'Expired' },
} as const
const domains = ['recovery', 'users'] as const

/** Recoveries of accounts: one person asked, another one decides. */
export default function RecoveriesScreen() {
  const list = useList(recoveryApi.list, { filters: [] })
  const [made, setMade] = useState<{ recovery: Recovery; link: Link }>()
  const columns = columnsWith((recovery) => <Acts recovery={recovery} onLink={(link) => setMade({ recovery, link })} />)
  return (
    <Screen scroll={false} count={listCount(list)} meta="Two people together give somebody a new way in">
      <ListTable
        name="recoveries"
        noun={['recovery', 'recoveries']}
        list={list}
        columns={columns}
        card={(recovery) => (
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <div style={{ minWidth: 0 }}>
              <Text truncate>{recovery.userName}</Text>
              <Text c="dimmed" fz="xs" lineClamp={2}>
                {recovery.askedByName}: {recovery.reason}
              </Text>
            </div>
            <Acts recovery={recovery} onLink={(link) => setMade({ recovery, link })} />
          </Group>
        )}
        label={({ userName }) => userName}
        empty={{
          title: 'No recovery yet',
          text: 'When somebody lost every way to sign in, ask for a recovery in the menu of the account. Another person confirms it here.',
          tag: 'RC',
        }}
      />
      {made && (
        <LinkModal
          user={{ name: made.recovery.userName, username: made.recovery.userName }}
          link={made.link}
          close={() => setMade(undefined)}
        />
      )}
    </Screen>
  )
}

const columnsWith = (acts: (recovery: Recovery) => React.ReactNode): readonly Column<Recovery>[] => [
  {
    key: 'userName',
    title: 'Account',
    csv: ({ userName }) => userName,
    cell: ({ userName, reason }) => <NameCell below={reason}>{userName}</NameCell>,
  },
  {
    key: 'askedByName',
    title: 'Asked by',
    width: 180,
    csv: ({ askedByName }) => askedByName,
    cell: ({ askedByName }) => askedByName,
  },
  {
    key: 'askedAt',
    title: 'Asked',
    width: 120,
    csv: ({ askedAt }) => askedAt,
    cell: ({ askedAt }) => (
      <Text span c="dimmed">
        {ago(askedAt)}
      </Text>
    ),
  },
  {
    key: 'endedByName',
    title: 'Decided by',
    width: 180,
    csv: ({ endedByName }) => endedByName ?? '',
    cell: ({ endedByName }) => endedByName,
  },
  { key: 'ending', title: 'State', width: 230, csv: ({ ending }) => ending ?? 'waiting', cell: acts },
]

function Acts({ recovery, onLink }: { recovery: Recovery; onLink: (link: Link) => void }) {
  const me = useSession()
  const { id, userName, ending, askedById } = recovery
  if (ending) return <StatusBadge {...words[ending]} />
  const own = askedById === me.id
  const confirmIt = async () => {
    const sure = await confirm({
      title: `Confirm the recovery of ${userName}?`,
      text: `Have you spoken with ${userName}, and are you sure that it was ${userName}? You get a link for ${userName}. It removes the second factor and the passkeys, and sets a new password.`,
      verb: 'Confirm recovery',
      danger: true,
    })
    const link = sure && (await attempt(() => recoveryApi.confirm({ id }), domains))
    if (link) onLink(link)
  }
  const refuse = async () => {
    const done = await succeeds(() => recoveryApi.refuse({ id }), domains)
    if (done) toast.success(own ? 'The recovery is withdrawn' : 'The recovery is refused')
  }
  return (
    <Group gap={6} wrap="nowrap">
      {own ? (
        <StatusBadge state="pending" label="Waits" />
      ) : (
        <Button size="xs" onClick={() => void confirmIt()}>
          Confirm…
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => void refuse()}>
        {own ? 'Withdraw' : 'Refuse'}
      </Button>
    </Group>
  )
}
