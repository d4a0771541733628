import type { FtpUser } from '@innkeeper/contract/hosting/ftpUsers'
import { Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { RowCard } from '../../kit/list/RowCard.tsx'
import { serverColumn } from '../../kit/list/serverColumn.tsx'
import { whenColumn } from '../../kit/list/whenColumn.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { When } from '../../kit/look/When.tsx'
import { folderWords, limitWords } from './words.ts'

export const columns: readonly Column<FtpUser>[] = [
  {
    key: 'username',
    title: 'FTP user',
    sort: 'username',
    csv: ({ username }) => username,
    cell: ({ id, username, domain }) => (
      <NameCell below={domain}>
        <NameLink to="/ftp-users/edit/$ftpUserId" params={{ ftpUserId: String(id) }}>
          <Mono fw={450} title={username}>
            {username}
          </Mono>
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 124,
    csv: ({ shown }) => shown,
    cell: (user) => <StatusBadge state={user.shown} />,
  },
  {
    key: 'folder',
    title: 'Folder',
    width: 170,
    csv: ({ homeDir }) => homeDir,
    cell: ({ folder, homeDir }) => (
      <Text span truncate display="block" title={homeDir} c={folder ? undefined : 'dimmed'}>
        {folderWords(folder)}
      </Text>
    ),
  },
  {
    key: 'limits',
    title: 'Limits',
    spare: true,
    width: 160,
    csv: limitWords,
    cell: (user) => (
      <Text
        span
        truncate
        display="block"
        title={limitWords(user)}
        c={limitWords(user) === 'no limit' ? 'dimmed' : undefined}
      >
        {limitWords(user)}
      </Text>
    ),
  },
  {
    key: 'lastLoginAt',
    title: 'Last login',
    sort: 'lastLoginAt',
    width: 118,
    csv: ({ lastLoginAt }) => lastLoginAt ?? '',
    cell: ({ lastLoginAt }) => (lastLoginAt ? <When at={lastLoginAt} /> : <Text c="dimmed">never</Text>),
  },
  serverColumn,
  { key: 'owner', title: 'Owner', width: 150, off: true, csv: (one) => one.ownerName, cell: (one) => one.ownerName },
  {
    key: 'expiresAt',
    title: 'Ends',
    width: 108,
    off: true,
    csv: ({ expiresAt }) => expiresAt ?? '',
    cell: ({ expiresAt }) => expiresAt && <When at={expiresAt} />,
  },
  whenColumn('createdAt', 'Created'),
]

/** Two lines on a phone. */
export const UserCard = ({ user }: { user: FtpUser }) => (
  <RowCard name={user.username} below={user.domain}>
    <StatusBadge state={user.shown} />
    <Mono c="dimmed" fz="xs" display="block">
      {user.serverName}
    </Mono>
  </RowCard>
)
