import type { Shift } from '@innkeeper/contract/planning/shifts/calls'
import { Button, Group, Stack } from '@mantine/core'
import { dayText } from '../../../kit/calendar/days.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { toast } from '../../../kit/dialogs/toast.ts'
import { Facts } from '../../../kit/frame/Section.tsx'
import { kitWords } from '../../../kit/look/texts.ts'
import { useAct } from '../../../kit/look/useAct.ts'
import { shiftsApi } from '../api.ts'
import { ownShiftTexts } from '../dialogTexts.ts'
import { attemptWarned } from '../planning/warnings.ts'
import { shiftTexts } from '../texts.ts'
import { clockChangeText, hoursText, timesText, zoneText } from '../words.ts'

/** A shift for people who do not plan, or in a closed month; an open shift can be taken. */
export default function ShiftInfo({ shift, swap, close }: { shift: Shift; swap?: () => void; close: () => void }) {
  const words = ownShiftTexts()
  const { busy, run } = useAct()
  const take = async () => {
    const taken = await attemptWarned(
      (stopAtWarnings) => shiftsApi.take({ id: shift.id, version: shift.version, stopAtWarnings }),
      words.take,
    )
    if (!taken) return
    toast.success(words.isYours(timesText(taken)), dayText(taken.date, 'long'))
    close()
  }
  const zone = zoneText(shift)
  const clocks = clockChangeText(shift.clockChange)
  return (
    <Dialog opened onClose={close} title={timesText(shift)} size={420}>
      <Stack gap={16}>
        <Facts
          of={[
            [words.person, shift.userName ?? words.nobodyYet],
            ...(shift.freedFrom
              ? [[words.openBecause, shiftTexts().onLeave(shift.freedFrom)] as [string, string]]
              : []),
            [words.day, dayText(shift.date, 'long')],
            [words.break, shift.breakMinutes ? `${shift.breakMinutes} min` : words.none],
            [words.weightedHours, hoursText(shift.hours)],
            [words.nightHours, String(shift.nightHours)],
            ...(zone ? [[words.zone, zone] as [string, string]] : []),
            ...(clocks ? [[words.clocks, clocks] as [string, string]] : []),
          ]}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            {kitWords().close}
          </Button>
          {swap && <Button onClick={swap}>{words.offer}…</Button>}
          {shift.status === 'open' && (
            <Button loading={busy} onClick={() => void run(take)}>
              {words.take}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
