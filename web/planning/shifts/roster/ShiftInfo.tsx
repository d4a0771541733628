import type { Shift } from '@innkeeper/contract/planning/shifts/calls'
import { Button, Group, Modal, Stack } from '@mantine/core'
import { dayText } from '../../../kit/calendar/days.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { Facts } from '../../../kit/frame/Section.tsx'
import { useAct } from '../../../kit/look/useAct.ts'
import { shiftsApi } from '../api.ts'
import { attemptWarned } from '../planning/warnings.ts'
import { clockChangeText, hoursText, timesText, zoneText } from '../words.ts'

/** A shift for people who do not plan, or in a closed month; an open shift can be taken. */
export default function ShiftInfo({ shift, swap, close }: { shift: Shift; swap?: () => void; close: () => void }) {
  const { busy, run } = useAct()
  const take = async () => {
    const taken = await attemptWarned(
      (stopAtWarnings) => shiftsApi.take({ id: shift.id, version: shift.version, stopAtWarnings }),
      'Take shift',
    )
    if (!taken) return
    toast.success(`${timesText(taken)} is yours`, dayText(taken.date, 'long'))
    close()
  }
  const zone = zoneText(shift)
  const clocks = clockChangeText(shift.clockChange)
  return (
    <Modal opened onClose={close} title={timesText(shift)} size={420}>
      <Stack gap={16}>
        <Facts
          of={[
            ['Person', shift.userName ?? 'Nobody yet'],
            ...(shift.freedFrom ? [['Open because', `${shift.freedFrom} is on leave`] as [string, string]] : []),
            ['Day', dayText(shift.date, 'long')],
            ['Break', shift.breakMinutes ? `${shift.breakMinutes} min` : 'None'],
            ['Weighted hours', hoursText(shift.hours)],
            ['Night hours', String(shift.nightHours)],
            ...(zone ? [['Zone', zone] as [string, string]] : []),
            ...(clocks ? [['Clocks', clocks] as [string, string]] : []),
          ]}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Close
          </Button>
          {swap && <Button onClick={swap}>Offer to others…</Button>}
          {shift.status === 'open' && (
            <Button loading={busy} onClick={() => void run(take)}>
              Take shift
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
