import { ActionIcon, Menu, SegmentedControl } from '@mantine/core'
import { IconArrowsExchange, IconCopy, IconDots, IconHeart, IconPlus, IconPrinter, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { shiftsApi } from '../api.ts'
import css from '../shifts.module.css'
import { waitingFor } from '../swaps/words.ts'
import { shiftTexts } from '../texts.ts'
import { type ShiftView, views } from './useRoster.ts'

interface Props {
  view: ShiftView
  setView: (view: ShiftView) => void
  drafts: number
  publish: () => void
  add: () => void
  copy: () => void
  print: () => void
  swaps: () => void
  wishes: () => void
}
function namesOf(): Record<ShiftView, string> {
  const { month, week, teams } = shiftTexts()
  return { month, week, team: teams }
}

/** View selection and actions of the roster. */
export function ShiftActions({ view, setView, drafts, publish, add, copy, print, swaps, wishes }: Props) {
  const words = shiftTexts()
  const lacking = useReason()
  const navigate = useNavigate()
  const reason = lacking(shiftsApi.create)
  const { data } = useQuery(shiftsApi.swaps.query())
  const waiting = waitingFor(data?.items)
  return (
    <>
      <SegmentedControl
        aria-label={words.view}
        data={views.map((value) => ({ value, label: namesOf()[value] }))}
        value={view}
        onChange={(next) => setView(views.find((one) => one === next) ?? 'month')}
      />
      <Menu width={230} position="bottom-end">
        <Menu.Target>
          <ActionIcon
            aria-label={waiting ? words.moreWaiting(waiting) : words.more}
            size={32}
            variant="default"
            className={css.more}
            data-waiting={waiting || undefined}
          >
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
          <MenuAction label={`${words.print}…`} icon={<IconPrinter size={15} />} onClick={print} />
          <Menu.Divider />
          <MenuAction
            label={`${waiting ? words.swapsForYou(waiting) : words.swaps}…`}
            icon={<IconArrowsExchange size={15} />}
            onClick={swaps}
          />
          <MenuAction label={`${words.wishes}…`} icon={<IconHeart size={15} />} onClick={wishes} />
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
        {words.addShift}
      </ActButton>
    </>
  )
}
