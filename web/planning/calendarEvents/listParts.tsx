import { type EventType, eventTypes } from '@innkeeper/contract/planning/calendarEvents/event'
import { Menu, Text } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useReason } from '../../kit/access/reasons.ts'
import type { Column } from '../../kit/list/columns.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'

/** Columns for the type and the department of an event. */
export const typeColumns: readonly Column<{ type: EventType; departmentName: string | null }>[] = [
  { key: 'type', title: 'Type', width: 124, csv: ({ type }) => type, cell: ({ type }) => eventTypes[type] },
  {
    key: 'for',
    title: 'For',
    width: 124,
    csv: ({ departmentName }) => departmentName ?? '',
    cell: ({ departmentName }) => departmentName ?? 'Everybody',
  },
]

export const DayCard = ({ title, below }: { title: string; below: string }) => (
  <div style={{ minWidth: 0 }}>
    <Text fw={500} truncate>
      {title}
    </Text>
    <Text c="dimmed" fz="xs" truncate>
      {below}
    </Text>
  </div>
)

type Call = Parameters<ReturnType<typeof useReason>>[0]

/** Menu of an object with an edit screen; deletion requires its name. */
export function ChangeOrDelete(props: { update: Call; remove: Call; onChange: () => void; onDelete: () => void }) {
  const lacking = useReason()
  return (
    <>
      <MenuAction
        label="Change…"
        icon={<IconPencil size={15} />}
        reason={lacking(props.update)}
        onClick={props.onChange}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(props.remove)}
        onClick={props.onDelete}
      />
    </>
  )
}
