import { Group, Pagination, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { moment } from '../../../kit/look/format.ts'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { apiOf } from '../api.ts'
import { TrackerLinks } from '../TrackerLinks.tsx'
import { importPath, useTracker, words } from '../trackerInfo.ts'

const PAGE = 50

/** Imports of a tracker, newest first. */
export default function ImportsScreen() {
  const tracker = useTracker()
  const [page, setPage] = useState(1)
  const query = useQuery({
    ...apiOf(tracker).imports.query({ page, itemsPerPage: PAGE }),
    placeholderData: keepPreviousData,
  })
  const { many } = words[tracker]
  const pages = Math.ceil((query.data?.total ?? 0) / PAGE)
  return (
    <Screen query={query} actions={<TrackerLinks tracker={tracker} here="imports" />}>
      <Section title="Imports" pad={false}>
        <SectionTable
          label="Imports"
          rows={query.data?.items ?? []}
          keyOf={({ id }) => id}
          empty={
            <Text c="dimmed" p={16}>
              Nothing was imported yet. Import a CSV file of another tracker from the list of {many}.
            </Text>
          }
          columns={[
            {
              title: 'File',
              cell: ({ id, name }) => <LinkTo to={importPath(tracker, id)}>{name ?? `Import ${id}`}</LinkTo>,
            },
            { title: 'When', cell: ({ createdAt }) => moment(createdAt) },
            { title: 'By', cell: ({ by }) => by ?? '–' },
            { title: 'Added', align: 'right', cell: ({ added }) => added },
            { title: 'Changed', align: 'right', cell: ({ updated }) => updated },
            { title: 'Known', align: 'right', cell: ({ skipped }) => skipped },
            {
              title: 'Undone',
              cell: ({ undoneAt, undoneBy }) => (undoneAt ? `${moment(undoneAt)}, ${undoneBy ?? 'somebody'}` : 'no'),
            },
          ]}
        />
      </Section>
      {pages > 1 && (
        <Group justify="center" mt={12}>
          <Pagination total={pages} value={page} onChange={setPage} />
        </Group>
      )}
    </Screen>
  )
}
