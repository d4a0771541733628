import type { TrashedDatabaseUser } from '@innkeeper/contract/hosting/databases/calls'
import { Text } from '@mantine/core'
import { useReason } from '../../kit/access/reasons.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, counted, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { databasesApi } from './api.ts'
import css from './Databases.module.css'
import { restoreUser } from './users/acts.ts'

/** Accounts that were deleted while their website still exists, as long as the server keeps them. */
export function DeletedUsers({ trash }: { trash: TrashedDatabaseUser[] }) {
  const lacking = useReason()
  return (
    <Section
      title="Deleted database users"
      hint={counted(trash.length, ['database user', 'database users'])}
      pad={false}
    >
      {trash.map((user) => (
        <div key={user.id} className={css.database}>
          <div className={css.head} style={{ marginBottom: 2 }}>
            <Mono>{user.username}</Mono>
            <ActButton
              size="xs"
              variant="default"
              reason={lacking(databasesApi.restoreUser)}
              onClick={() => void restoreUser(user)}
            >
              Restore
            </ActButton>
          </div>
          <Text c="dimmed" fz="xs">
            Deleted {ago(user.deletedAt)}; its password and privileges are kept on {user.serverName} until{' '}
            {moment(user.purgeAfter)}.
          </Text>
        </div>
      ))}
    </Section>
  )
}
