import { Group, Pagination, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { confirm, infoDialog } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted, moment } from '../../../kit/look/format.ts'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { apiOf, hintOf } from '../api.ts'
import { itemPath, useTracker, words } from '../trackerInfo.ts'

const PAGE = 100

/** An import with its items, and the act that undoes it. */
function ImportScreen({ id }: { id: number }) {
  const tracker = useTracker()
  const api = apiOf(tracker)
  const lacking = useReason()(api.undoImport)
  const [page, setPage] = useState(1)
  const query = useQuery({
    ...api.oneImport.query({ id, page, itemsPerPage: PAGE }),
    placeholderData: keepPreviousData,
  })
  const found = query.data?.import
  const pages = Math.ceil((query.data?.total ?? 0) / PAGE)
  const { one, many } = words[tracker]
  const undo = async () => {
    const sure = await confirm({
      title: 'Undo this import?',
      text: 'Items that it added are deleted, items that it changed get their former values. Items that somebody changed since stay as they are.',
      verb: 'Undo import',
      danger: true,
    })
    if (!sure) return
    const done = await attempt(() => api.undoImport({ id }), [hintOf[tracker]])
    if (!done) return
    const lines = [
      ...done.kept.map(({ key, reason }) => `${key} stays: ${reason}`),
      ...done.replaced.map(({ key, field, as }) => `${key}: its former ${field} was deleted, now ${as}`),
    ]
    if (lines.length) await infoDialog([`${counted(done.undone, [one, many])} undone`, ...lines.slice(0, 50)])
    else toast.success(`${counted(done.undone, [one, many])} undone`)
  }
  return (
    <Screen
      query={query}
      title={found?.name ?? `Import ${id}`}
      actions={
        found && (
          <ActButton
            variant="default"
            reason={lacking ?? (found.undoneAt ? 'It is undone already' : undefined)}
            onClick={() => void undo()}
          >
            Undo import…
          </ActButton>
        )
      }
    >
      {found && (
        <Section title="What it did">
          <Facts
            of={[
              ['Imported', `${moment(found.createdAt)}, ${found.by ?? 'somebody'}`],
              ['Added', String(found.added)],
              ['Changed', String(found.updated)],
              ['Known and left as they were', String(found.skipped)],
              ...(found.undoneAt
                ? [['Undone', `${moment(found.undoneAt)}, ${found.undoneBy ?? 'somebody'}`] as [string, string]]
                : []),
            ]}
          />
        </Section>
      )}
      <Section title="Items" pad={false}>
        <SectionTable
          label="Items of the import"
          rows={query.data?.items ?? []}
          keyOf={(item) => item.id}
          columns={[
            {
              title: 'Key',
              cell: (item) => <LinkTo to={itemPath(tracker, item.id)}>{item.key}</LinkTo>,
            },
            { title: 'Title', cell: ({ title }) => title },
            { title: 'Import', cell: ({ act }) => (act === 'added' ? 'Added' : 'Changed') },
            {
              title: 'Since then',
              cell: ({ isChanged, isDeleted }) => (
                <Text span c="dimmed">
                  {isDeleted ? 'deleted' : isChanged ? 'changed' : 'as imported'}
                </Text>
              ),
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

export default numbered('importId', ImportScreen)
