import type { Board as BoardAnswer, Item } from '@innkeeper/contract/desk/trackers/shapes'
import { Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { Board } from '../../kit/board/Board.tsx'
import { moved } from '../../kit/board/moves.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { useList } from '../../kit/list/useList.ts'
import { Avatar } from '../../kit/look/Avatar.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { apiOf, hintOf } from './api.ts'
import { save, saveCall } from './save.ts'
import { TrackerLinks } from './TrackerLinks.tsx'
import { itemPath, useTracker, words } from './trackerInfo.ts'
import css from './trackers.module.css'
import { filterKeys, useFilters } from './useFilters.ts'

/** Items in a column per status. A card that moves gets the status of its column. */
export default function BoardScreen() {
  const tracker = useTracker()
  const api = apiOf(tracker)
  const navigate = useNavigate()
  const cache = useQueryClient()
  const lacking = useReason()
  // the board uses only the filters of this list, which are in the address
  const list = useList(api.list, { filters: filterKeys, enabled: false })
  const filters = Object.fromEntries(Object.entries(list.filters).map(([key, values]) => [key, values.join(',')]))
  const asked = api.board.query(filters as Parameters<typeof api.board.query>[0])
  const query = useQuery(asked)
  const { base, one } = words[tracker]
  const columns = (query.data?.columns ?? []).map(({ status, total, more, items }) => ({
    id: String(status.id),
    title: total > items.length ? `${status.name} (${items.length} of ${total}${more ? '+' : ''})` : status.name,
    cards: items,
  }))
  const reason = lacking(saveCall(tracker, 'statusId'))
  const onMove = async (card: Item, column: string, index: number) => {
    if (String(card.status.id) === column) return
    const shown = moved(columns, card.id, { column: columns.findIndex(({ id }) => id === column), index })
    cache.setQueryData<BoardAnswer>(
      asked.queryKey,
      (now) => now && { columns: now.columns.map((was, n) => ({ ...was, items: [...(shown[n]?.cards ?? [])] })) },
    )
    await attempt(() => save(tracker, card, { statusId: Number(column) }), [hintOf[tracker]])
  }
  return (
    <Screen
      query={query}
      scroll={false}
      actions={
        <>
          <TrackerLinks tracker={tracker} here="board" />
          <CreateButton call={api.import} to={`${base}/create`}>
            {`New ${one}`}
          </CreateButton>
        </>
      }
    >
      <div className={css.board}>
        <FilterBar list={list} search={{ key: 'search', placeholder: 'Title or key' }} filters={useFilters(tracker)} />
        <Board
          label={words[tracker].title}
          columns={columns}
          nameOf={({ key, title }) => `${key} ${title}`}
          draw={(item) => <Card item={item} />}
          onOpen={({ id }) => void navigate({ to: itemPath(tracker, id) })}
          onMove={(card, { column, index }) => void onMove(card, column, index)}
          whyNot={() => reason}
        />
      </div>
    </Screen>
  )
}

const Card = ({ item: { key, title, priority, assignee } }: { item: Item }) => (
  <>
    <Text lineClamp={2} pr={26} lh={1.35} dir="auto">
      {title}
    </Text>
    <Group justify="space-between" pos="absolute" bottom={6} left={10} right={10} wrap="nowrap">
      <Text fz="xs" c="dimmed" truncate>
        <Mono fz="xs">{key}</Mono> {priority?.name}
      </Text>
      {assignee && <Avatar name={assignee.name} size={20} />}
    </Group>
  </>
)
