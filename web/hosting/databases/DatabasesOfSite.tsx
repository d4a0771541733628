import type { Database } from '@innkeeper/contract/hosting/databases/calls'
import type { Website } from '@innkeeper/contract/hosting/websites'
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { Reading } from '../../kit/frame/Reading.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { notSwitchable } from '../websites/page/switching.ts'
import { AddDatabase } from './AddDatabase.tsx'
import { databasesApi } from './api.ts'
import { DeletedDatabases } from './DeletedDatabases.tsx'
import { DeletedUsers } from './DeletedUsers.tsx'
import { OneDatabase } from './OneDatabase.tsx'

const nothing = () => null
const NewReplacement = lazyPart<{ website: Website; databases: Database[]; close: () => void }>(
  () => import('./replacements/NewReplacement.tsx'),
  nothing,
)
const Replacements = lazyPart<{ website: Website }>(() => import('./replacements/Replacements.tsx'), nothing)

/** Databases of a website with addresses, accounts and tables. */
export default function DatabasesOfSite({ website }: { website: Website }) {
  const { data, error } = useQuery(databasesApi.ofWebsite.query({ id: website.id }))
  const lacking = useReason()
  const [adding, setAdding] = useState(false)
  const [replacing, setReplacing] = useState(false)
  const suspended = website.status === 'suspended' ? `${website.domain} is suspended: activate it first.` : undefined
  return (
    <>
      <Section
        title="Databases"
        hint={data?.total ? counted(data.total, ['database', 'databases']) : undefined}
        aside={
          <Group gap={8}>
            <ActButton
              size="xs"
              variant="default"
              reason={
                lacking(databasesApi.search) ??
                notSwitchable(website) ??
                (data?.total ? undefined : 'There is no database.')
              }
              onClick={() => setReplacing(true)}
            >
              Search and replace…
            </ActButton>
            <ActButton
              size="xs"
              variant="default"
              reason={lacking(databasesApi.create) ?? suspended ?? notSwitchable(website)}
              onClick={() => setAdding(true)}
            >
              Add database…
            </ActButton>
          </Group>
        }
        pad={!data?.total}
      >
        {data?.total ? (
          data.items.map((database) => <OneDatabase key={database.id} database={database} />)
        ) : (
          <Text c="dimmed">
            {error?.message ??
              (data ? 'None. The first database installs its engine on the server if that is missing.' : <Reading />)}
          </Text>
        )}
      </Section>
      {data && <Replacements website={website} />}
      {data && data.trash.length > 0 && <DeletedDatabases trash={data.trash} />}
      {data && data.trashedUsers.length > 0 && <DeletedUsers trash={data.trashedUsers} />}
      {replacing && data && (
        <NewReplacement website={website} databases={data.items} close={() => setReplacing(false)} />
      )}
      {adding && <AddDatabase website={website} close={() => setAdding(false)} />}
    </>
  )
}
