import type { Website } from '@innkeeper/contract/websites'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../kit/access/reasons.ts'
import { Section } from '../kit/frame/Section.tsx'
import { ActButton } from '../kit/look/ActButton.tsx'
import { counted } from '../kit/look/format.ts'
import { notSwitchable } from '../websites/page/switching.ts'
import { AddDatabase } from './AddDatabase.tsx'
import { databasesApi } from './api.ts'
import { DeletedDatabases } from './DeletedDatabases.tsx'
import { DeletedUsers } from './DeletedUsers.tsx'
import { OneDatabase } from './OneDatabase.tsx'

/** Databases of a website with addresses, accounts and tables. */
export default function DatabasesOfSite({ website }: { website: Website }) {
  const { data, error } = useQuery(databasesApi.ofWebsite.query({ id: website.id }))
  const lacking = useReason()
  const [adding, setAdding] = useState(false)
  const suspended = website.status === 'suspended' ? `${website.domain} is suspended: activate it first.` : undefined
  return (
    <>
      <Section
        title="Databases"
        hint={data?.total ? counted(data.total, ['database', 'databases']) : undefined}
        aside={
          <ActButton
            size="xs"
            variant="default"
            reason={lacking(databasesApi.create) ?? suspended ?? notSwitchable(website)}
            onClick={() => setAdding(true)}
          >
            Add database…
          </ActButton>
        }
        pad={!data?.total}
      >
        {data?.total ? (
          data.items.map((database) => <OneDatabase key={database.id} database={database} />)
        ) : (
          <Text c="dimmed">
            {error?.message ??
              (data
                ? 'None. Its engine is installed on its server with the first one, where it is missing.'
                : 'Reading…')}
          </Text>
        )}
      </Section>
      {data && data.trash.length > 0 && <DeletedDatabases trash={data.trash} />}
      {data && data.trashedUsers.length > 0 && <DeletedUsers trash={data.trashedUsers} />}
      {adding && <AddDatabase website={website} close={() => setAdding(false)} />}
    </>
  )
}
