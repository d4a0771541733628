import type { TrashedDatabase } from '@innkeeper/contract/hosting/databases/calls'
import { Text } from '@mantine/core'
import { useReason } from '../../kit/access/reasons.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, counted, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { restore } from './acts.ts'
import { databasesApi } from './api.ts'
import css from './Databases.module.css'

/** Deleted databases of an existing website, as long as the server keeps their dumps. */
export function DeletedDatabases({ trash }: { trash: TrashedDatabase[] }) {
  const lacking = useReason()
  return (
    <Section title="Deleted databases" hint={counted(trash.length, ['database', 'databases'])} pad={false}>
      {trash.map((database) => (
        <div key={database.id} className={css.database}>
          <div className={css.head} style={{ marginBottom: 2 }}>
            <Mono>{database.name}</Mono>
            <ActButton
              size="xs"
              variant="default"
              reason={lacking(databasesApi.restore)}
              onClick={() => void restore(database)}
            >
              Restore
            </ActButton>
          </div>
          <Text c="dimmed" fz="xs">
            Deleted {ago(database.deletedAt)}; its dump is kept on {database.serverName} until{' '}
            {moment(database.purgeAfter)}.
          </Text>
        </div>
      ))}
    </Section>
  )
}
