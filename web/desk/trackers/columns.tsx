import type { Item } from '@innkeeper/contract/desk/trackers/shapes'
import { closed, type Group, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { ago, count, counted, shortDay } from '../../kit/look/format.ts'
import { Glyph } from '../../kit/look/Glyph.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { itemPath } from './trackerInfo.ts'
import css from './trackers.module.css'

const shapes = {
  backlog: 'ring',
  open: 'dot',
  'in-progress': 'half',
  completed: 'check',
  cancelled: 'dash',
} as const satisfies Record<Group, string>

/** The mark and the name of a status. That of a closed item is quiet. */
export const StatusMark = ({ status: { name, colour, group } }: Pick<Item, 'status'>) => (
  <span className={css.status} data-closed={closed.includes(group) || undefined}>
    <Glyph shape={shapes[group]} colour={colour === 'accent' || colour === 'primary' ? 'info' : colour} />
    <span>{name}</span>
  </span>
)
/** The name of a priority in its colour, which fades once the item is closed. */
function PriorityName({ priority, status }: Pick<Item, 'priority' | 'status'>) {
  if (!priority) return <Text c="dimmed">none</Text>
  const isOver = closed.includes(status.group)
  return <Text c={isOver ? 'dimmed' : priority.colour === 'error' ? 'error' : undefined}>{priority.name}</Text>
}

/** The due day, in red if an open item is overdue. */
function Due({ item: { dueOn, status } }: { item: Item }) {
  if (!dueOn) return <Text c="dimmed">–</Text>
  const isLate = !closed.includes(status.group) && dueOn < new Date().toISOString().slice(0, 10)
  return (
    <Text c={isLate ? 'error' : undefined} className="num" truncate>
      {isLate ? `Late: ${shortDay(dueOn)}` : shortDay(dueOn)}
    </Text>
  )
}

const named = (key: 'component' | 'folder' | 'department', title: string, off = false): Column<Item> => ({
  key,
  title,
  width: 104,
  off,
  csv: (item) => item[key]?.name,
  cell: (item) => <Text c={item[key] ? undefined : 'dimmed'}>{item[key]?.name ?? 'none'}</Text>,
})

export const columnsOf = (tracker: Tracker): readonly Column<Item>[] => [
  {
    key: 'title',
    title: 'Title',
    sort: 'number',
    csv: ({ key, title }) => `${key} ${title}`,
    cell: ({ id, key, title, reporter, comments }) => (
      <NameCell
        below={
          <>
            <Mono>{key}</Mono> by {reporter?.name ?? 'nobody'}
            {comments > 0 && `, ${counted(comments, ['comment', 'comments'])}`}
          </>
        }
      >
        <NameLink to={itemPath(tracker, id)}>{title}</NameLink>
      </NameCell>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 118,
    csv: ({ status }) => status.name,
    cell: ({ status }) => <StatusMark status={status} />,
  },
  {
    key: 'priority',
    title: 'Priority',
    width: 84,
    sort: 'priority',
    csv: ({ priority }) => priority?.name,
    cell: (item) => <PriorityName priority={item.priority} status={item.status} />,
  },
  named('component', 'Component'),
  ...(tracker === 'ticket' ? [] : [named('folder', 'Folder', true)]),
  {
    key: 'assignee',
    title: 'Assignee',
    width: 132,
    csv: ({ assignee }) => assignee?.name,
    cell: ({ assignee }) => <Text c={assignee ? undefined : 'dimmed'}>{assignee?.name ?? 'nobody'}</Text>,
  },
  ...(tracker === 'feature'
    ? [
        {
          key: 'votes',
          title: 'Votes',
          width: 80,
          sort: 'votes',
          align: 'right' as const,
          csv: ({ votes }: Item) => votes,
          cell: ({ votes }: Item) => <span className="num">{count(votes)}</span>,
        },
      ]
    : []),
  {
    key: 'due',
    title: 'Due',
    width: 108,
    sort: 'dueOn',
    csv: ({ dueOn }) => dueOn,
    cell: (item) => <Due item={item} />,
  },
  {
    key: 'updated',
    title: 'Updated',
    width: 92,
    sort: 'updatedAt',
    csv: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt }) => <Text c="dimmed">{ago(updatedAt)}</Text>,
  },
]
