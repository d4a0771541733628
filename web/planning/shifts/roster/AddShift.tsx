import type { Roster } from '@innkeeper/contract/planning/shifts/calls'
import { SegmentedControl, Switch } from '@mantine/core'
import { departmentsApi } from '../../../access/departments/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { counted } from '../../../kit/look/format.ts'
import { shiftsApi } from '../api.ts'
import { insist } from '../planning/warnings.ts'
import { timesText } from '../words.ts'
import { labels, ShiftFields } from './ShiftFields.tsx'

/** Creates one shift, or the same shift for the whole shift team. */
export default function AddShift({ roster, date, close }: { roster: Roster; date: string; close: () => void }) {
  const form = useCallForm(shiftsApi.create, {
    initial: {
      userId: undefined as number | null | undefined, // the form sets the person, or null for an open shift
      date,
      shiftTypeId: null as number | null,
      startTime: '',
      endTime: '',
      breakMinutes: '' as number | '',
      status: 'draft' as 'draft' | 'published',
      departmentId: '' as number | '',
      applySameShiftsToTeam: false,
    },
    labels: { ...labels, departmentId: 'Works in', applySameShiftsToTeam: 'The same for the team' },
    send: (input) => insist((stopAtWarnings) => shiftsApi.create({ ...input, stopAtWarnings }), 'Add shift'),
    onDone: ({ made, userName, ...shift }) => {
      void readAgain(['shifts'])
      toast.success(
        made > 1 ? `${counted(made, ['shift is', 'shifts are'])} planned` : `${timesText(shift)} is planned`,
        userName ?? undefined,
      )
      close()
    },
  })
  const team = form.field('applySameShiftsToTeam')
  const lacking = useReason()(departmentsApi.list)
  return (
    <FormModal opened close={close} title="Add shift" save="Add shift" nothing="Nothing was planned." form={form}>
      <ShiftFields
        roster={roster}
        mayStayOpen
        userId={form.field('userId')}
        date={form.field('date')}
        shiftTypeId={form.field('shiftTypeId')}
        startTime={form.field('startTime')}
        endTime={form.field('endTime')}
        breakMinutes={form.field('breakMinutes')}
      />
      {!lacking && (
        <PickOne
          label="Works in"
          placeholder="The person’s department"
          description="For cover elsewhere: times are those of that department, and the shift counts there"
          call={departmentsApi.list}
          nameOf={({ name }) => name}
          value={form.values.departmentId || null}
          onChange={(id) => form.set('departmentId', id ?? '')}
          error={form.field('departmentId').error}
        />
      )}
      <Switch
        label="The same for everybody of the shift team"
        checked={team.value}
        onChange={(event) => team.onChange(event.currentTarget.checked)}
        error={team.error}
      />
      <SegmentedControl
        aria-label="Who sees the shift"
        data={[
          { value: 'draft', label: 'As a draft' },
          { value: 'published', label: 'Published' },
        ]}
        value={form.values.status}
        onChange={(next) => form.set('status', next === 'published' ? 'published' : 'draft')}
      />
    </FormModal>
  )
}
