import { ActionIcon, Menu, SegmentedControl } from '@mantine/core'
import { IconCopy, IconDots, IconPlus, IconSend } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { shiftsApi } from '../api.ts'
import { type ShiftView, views } from './useRoster.ts'

interface Props {
  view: ShiftView
  setView: (view: ShiftView) => void
  drafts: number
  publish: () => void
  add: () => void
  copy: () => void
}
const names: Record<ShiftView, string> = { month: 'Month', week: 'Week', team: 'Teams' }

/** View selection and actions of the roster. */
export function ShiftActions({ view, setView, drafts, publish, add, copy }: Props) {
  const lacking = useReason()
  const navigate = useNavigate()
  const reason = lacking(shiftsApi.create)
  return (
    <>
      <SegmentedControl
        aria-label="View"
        data={views.map((value) => ({ value, label: names[value] }))}
        value={view}
        onChange={(next) => setView(views.find((one) => one === next) ?? 'month')}
      />
      <Menu width={230} position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label="More about shifts" size={32} variant="default">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuAction
            label={drafts ? `Publish ${counted(drafts, ['draft', 'drafts'])}…` : 'Publish drafts…'}
            icon={<IconSend size={15} />}
            reason={reason ?? (drafts ? undefined : 'There are no drafts here')}
            onClick={publish}
          />
          <MenuAction
            label={view === 'month' ? 'Copy this month…' : 'Copy this week…'}
            icon={<IconCopy size={15} />}
            reason={reason}
            onClick={copy}
          />
          <Menu.Divider />
          <MenuAction
            label="Coverage and statistics"
            reason={reason}
            onClick={() => void navigate({ to: '/calendar/shifts/manage' })}
          />
          <MenuAction
            label="Shift types"
            reason={lacking(shiftsApi.types)}
            onClick={() => void navigate({ to: '/calendar/shifts/type' })}
          />
          <MenuAction
            label="Automations"
            reason={lacking(shiftsApi.automations)}
            onClick={() => void navigate({ to: '/calendar/shifts/automation' })}
          />
        </Menu.Dropdown>
      </Menu>
      <ActButton reason={reason} leftSection={<IconPlus size={15} />} onClick={add}>
        Add shift
      </ActButton>
    </>
  )
}
