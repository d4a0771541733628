import type { Roster, Shift } from '@innkeeper/contract/planning/shifts/calls'
import { Button, Group, SegmentedControl, Select, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { attempt } from '../../../kit/api/attempt.ts'
import { daysOf, dayText, isWeekend, rangeText } from '../../../kit/calendar/days.ts'
import type { Picked } from '../../../kit/calendar/LaneGrid.tsx'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { toast } from '../../../kit/dialogs/toast.ts'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { useAct } from '../../../kit/look/useAct.ts'
import { shiftsApi } from '../api.ts'
import { personOf } from '../roster/lanes.tsx'
import { outcomeText } from '../words.ts'
import { Conflicts, lackOf } from './Conflicts.tsx'

const REMOVE = 'remove'

/** Plans one shift type for the selected people and days, with a preview; saves all shifts or none. */
export default function PlanModal({ roster, picked, close }: { roster: Roster; picked: Picked; close: () => void }) {
  const types = useQuery(shiftsApi.types.query({ isActive: 'true' }))
  const [type, setType] = useState<string | null>(null)
  const [status, setStatus] = useState<'draft' | 'published'>('draft')
  const [weekdays, setWeekdays] = useState(false)
  const [replace, setReplace] = useState(false)
  const { busy, run } = useAct()

  const ids = picked.lanes.flatMap((lane) => personOf(lane) ?? [])
  const days = daysOf(picked.from, picked.to).filter((day) => !weekdays || !isWeekend(day, roster.weekend))
  const isThere = ({ userId, date, status: stands }: Shift) =>
    userId !== null && ids.includes(userId) && days.includes(date) && stands !== 'cancelled'
  // rows out of view may not have been read
  const theirs = useQuery({
    ...shiftsApi.roster.query({ from: picked.from, to: picked.to, userIds: ids }),
    enabled: ids.length > 0,
  })
  const there = theirs.data?.shifts.filter(isThere) ?? []
  const isRemoval = type === REMOVE
  const wanted = {
    cells:
      type && !isRemoval
        ? ids.flatMap((userId) => days.map((date) => ({ userId, date, shiftTypeId: Number(type) })))
        : [],
    remove: isRemoval || replace ? there.map(({ id, version }) => ({ id, version })) : [],
    status,
  }
  const preview = useQuery({ ...shiftsApi.preview.query(wanted), enabled: type !== null, staleTime: 0 })
  const save = async () => {
    const done = await attempt(() => shiftsApi.plan(wanted), ['shifts'])
    if (!done) return
    toast.success(outcomeText(done))
    close()
  }
  const who =
    ids.length === 1 ? roster.people.find(({ id }) => id === ids[0])?.name : counted(ids.length, ['person', 'people'])
  const when = picked.from === picked.to ? dayText(picked.from, 'long') : rangeText(picked.from, picked.to)
  return (
    <Dialog opened onClose={close} title={`Plan ${who}, ${when}`} size={520}>
      <Stack gap={16}>
        <Select
          label="Shift type"
          data-autofocus
          withAsterisk
          data={[
            ...(types.data?.items ?? []).map(({ id, name, startTime, endTime }) => ({
              value: String(id),
              label: `${name} ${startTime}–${endTime}`,
            })),
            ...(there.length ? [{ value: REMOVE, label: `Remove ${counted(there.length, ['shift', 'shifts'])}` }] : []),
          ]}
          value={type}
          onChange={setType}
          error={types.error?.message}
        />
        {!isRemoval && (
          <>
            {picked.from !== picked.to && (
              <Switch
                label="Without weekends"
                checked={weekdays}
                onChange={(event) => setWeekdays(event.currentTarget.checked)}
              />
            )}
            {there.length > 0 && (
              <Switch
                label={`In the place of ${counted(there.length, ['shift', 'shifts'])} that ${there.length === 1 ? 'is' : 'are'} there`}
                checked={replace}
                onChange={(event) => setReplace(event.currentTarget.checked)}
              />
            )}
            <SegmentedControl
              aria-label="Who sees them"
              data={[
                { value: 'draft', label: 'As drafts' },
                { value: 'published', label: 'Published' },
              ]}
              value={status}
              onChange={(next) => setStatus(next === 'published' ? 'published' : 'draft')}
            />
          </>
        )}
        {theirs.error && <ErrorLine error={theirs.error} />}
        {preview.error && <ErrorLine error={preview.error} />}
        {preview.data && <Conflicts outcome={preview.data} />}
        <Group justify="space-between" gap={8}>
          <Text c="dimmed" fz="xs" aria-live="polite">
            {type === null ? 'Still needed: shift type' : preview.isFetching ? 'Looking…' : ''}
          </Text>
          <Group gap={8}>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <ActButton
              color={isRemoval ? 'error' : undefined}
              loading={busy}
              reason={lackOf(preview)}
              onClick={() => void run(save)}
            >
              {isRemoval ? 'Remove shifts' : 'Plan shifts'}
            </ActButton>
          </Group>
        </Group>
      </Stack>
    </Dialog>
  )
}
