import type { Item } from '@innkeeper/contract/desk/trackers/shapes'
import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ListTable } from '../../kit/list/ListTable.tsx'
import type { List } from '../../kit/list/useList.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { apiOf, openable } from './api.ts'
import { BulkActs } from './BulkActs.tsx'
import { columnsOf, StatusMark } from './columns.tsx'
import { itemPath, words } from './trackerInfo.ts'
import { useFilters } from './useFilters.ts'

interface Props {
  tracker: Tracker
  list: List<Item>
  /** Added to the filters of the CSV file. */
  fixed?: Record<string, string>
  empty: { title: string; text: string; action?: ReactNode }
}

/** The table of items, of a list or an archive. */
export function ItemList({ tracker, list, fixed = {}, empty }: Props) {
  const filters = useFilters(tracker)
  const { one, many } = words[tracker]
  const file = () => {
    const set = Object.entries(list.filters).map(([key, values]): [string, string] => [key, values.join(',')])
    return openable(
      apiOf(tracker).file.endpoint.path,
      new URLSearchParams([...set, ...Object.entries(fixed)]).toString(),
    )
  }
  return (
    <ListTable
      name={`tracker-${tracker}`}
      noun={[one, many]}
      list={list}
      columns={columnsOf(tracker)}
      card={(item) => (
        <>
          <Text fw={450} truncate dir="auto">
            {item.title}
          </Text>
          <Group gap={8} c="dimmed" fz="xs" wrap="nowrap">
            <Mono>{item.key}</Mono>
            <StatusMark status={item.status} />
            {item.assignee?.name}
          </Group>
        </>
      )}
      label={({ key, title }) => `${key} ${title}`}
      open={({ id }) => itemPath(tracker, id)}
      bulk={(rows, clear) => <BulkActs tracker={tracker} rows={rows} clear={clear} />}
      search={{ key: 'search', placeholder: 'Title or key' }}
      filters={filters}
      file={file}
      empty={{ ...empty, tag: tracker === 'bug' ? 'BG' : tracker === 'feature' ? 'FR' : 'IT' }}
    />
  )
}
