import type { Migration } from '@innkeeper/contract/hosting/moves/shapes'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { webTypes } from '../../machines/servers/choice/availability.ts'
import { useServerChoice } from '../../machines/servers/choice/useServerChoice.ts'
import { movesApi } from './api.ts'
import { columns, MoveCard } from './columns.tsx'
import { MoveActs } from './MoveActs.tsx'
import { statusWords } from './words.ts'

interface Props {
  /** Key of the stored columns, and name of the CSV file. */
  name: string
  noun: readonly [string, string]
  only?: Migration['type']
}

/** Moves, newest first; a group is one row for all its members. */
export function MovesList({ name, noun, only }: Props) {
  const list = useList(movesApi.list, {
    filters: ['domain', 'status', 'server', ...(only ? [] : (['type'] as const))],
    ...(only && { fixed: { type: [only] } }),
  })
  const servers = useServerChoice(webTypes)
  return (
    <Screen scroll={false} count={listCount(list)}>
      <ListTable
        name={name}
        noun={noun}
        list={list}
        columns={columns}
        card={(move) => <MoveCard move={move} />}
        label={({ domain }) => domain}
        open={({ id }) => `/website-migrations/${id}`}
        menu={(move) => <MoveActs move={move} />}
        search={{ key: 'domain', placeholder: 'Domain' }}
        filters={[
          { key: 'status', label: 'Status', options: statusWords.map(([value, label]) => ({ value, label })) },
          ...servers,
          ...(only ? [] : [{ key: 'type', label: 'What', options: kinds }]),
        ]}
        empty={{
          title: only ? 'No group has moved yet' : 'Nothing has moved yet',
          text: only
            ? 'A group moves website by website, in its own order. Begin on the page of the group.'
            : 'A website moves to another server while it is served. Begin on the page of the website.',
          tag: 'WM',
        }}
      />
    </Screen>
  )
}

const kinds = [
  { value: 'website', label: 'Websites' },
  { value: 'group', label: 'Groups' },
]
