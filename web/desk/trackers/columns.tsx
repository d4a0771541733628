import type { Choice, Item } from '@innkeeper/contract/desk/trackers/shapes'
import { closed, type Face, type Group } from '@innkeeper/contract/desk/trackers/values'
import { Text } from '@mantine/core'
import { writeDay } from '../../kit/form/dates.ts'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { ago, count, counted } from '../../kit/look/format.ts'
import { Glyph } from '../../kit/look/Glyph.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { itemPath } from './faces.ts'
import css from './trackers.module.css'

const shapes = {
  backlog: 'ring',
  open: 'dot',
  'in-progress': 'arc',
  completed: 'check',
  cancelled: 'dash',
} as const satisfies Record<Group, string>

/** The mark and the name of a status. */
export const StatusMark = ({ status: { name, colour, group } }: Pick<Item, 'status'>) => (
  <span className={css.status}>
    <Glyph shape={shapes[group]} colour={colour === 'accent' || colour === 'primary' ? 'info' : colour} /> {name}
  </span>
)
/** The name of a priority, component, folder or department in its colour. */
const ChoiceName = ({ choice }: { choice: Choice | null }) =>
  choice ? <Text c={choice.colour === 'error' ? 'error' : undefined}>{choice.name}</Text> : <Text c="dimmed">none</Text>

/** The due day, in red if an open item is overdue. */
function Due({ item: { dueOn, status } }: { item: Item }) {
  if (!dueOn) return <Text c="dimmed">no day</Text>
  const isLate = !closed.includes(status.group) && dueOn < new Date().toISOString().slice(0, 10)
  return <Text c={isLate ? 'error' : undefined}>{isLate ? `Late: ${writeDay(dueOn)}` : writeDay(dueOn)}</Text>
}

const named = (key: 'component' | 'folder' | 'department', title: string): Column<Item> => ({
  key,
  title,
  width: 130,
  csv: (item) => item[key]?.name,
  cell: (item) => <Text c={item[key] ? undefined : 'dimmed'}>{item[key]?.name ?? 'none'}</Text>,
})

export const columnsOf = (face: Face): readonly Column<Item>[] => [
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
        <NameLink to={itemPath(face, id)}>{title}</NameLink>
      </NameCell>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 130,
    csv: ({ status }) => status.name,
    cell: ({ status }) => <StatusMark status={status} />,
  },
  {
    key: 'priority',
    title: 'Priority',
    width: 100,
    sort: 'priority',
    csv: ({ priority }) => priority?.name,
    cell: ({ priority }) => <ChoiceName choice={priority} />,
  },
  named('component', 'Component'),
  ...(face === 'ticket' ? [] : [named('folder', 'Folder')]),
  {
    key: 'assignee',
    title: 'Assignee',
    width: 150,
    csv: ({ assignee }) => assignee?.name,
    cell: ({ assignee }) => <Text c={assignee ? undefined : 'dimmed'}>{assignee?.name ?? 'nobody'}</Text>,
  },
  ...(face === 'feature'
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
    width: 140,
    sort: 'dueOn',
    csv: ({ dueOn }) => dueOn,
    cell: (item) => <Due item={item} />,
  },
  {
    key: 'updated',
    title: 'Updated',
    width: 110,
    sort: 'updatedAt',
    csv: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt }) => <Text c="dimmed">{ago(updatedAt)}</Text>,
  },
]
