import type { Escalation } from '@innkeeper/contract/quality/qc/shapes'
import { Select, Textarea, TextInput } from '@mantine/core'
import { usersApi } from '../../../access/users/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { MomentField } from '../../../kit/form/MomentField.tsx'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { qcApi } from '../api.ts'
import { priorityOptions } from '../words.ts'

const labels = {
  reason: 'Reason',
  priority: 'Priority',
  assigneeId: 'Assignee',
  dueAt: 'Due',
  description: 'Description',
}

const valuesOf = ({ reason, description, priority, dueAt, assignee }: Escalation) => ({
  ...{ reason, description, priority },
  ...{ assigneeId: assignee?.id ?? null, dueAt: dueAt ?? '' },
})

/** Who takes care of an escalation, until when, and how urgent it is. */
export default function EscalationModal({ escalation, close }: { escalation: Escalation; close: () => void }) {
  const opened = useOpened(escalation)
  const { id, version } = opened
  const lacking = useReason()(usersApi.list)
  const initial = valuesOf(opened)
  const form = useCallForm(qcApi.updateEscalation, {
    initial,
    fixed: { id, version },
    labels,
    valuesOf,
    send: (input) => {
      // the call takes the fields of the form one level deeper
      const { reason, description, priority, assigneeId, dueAt } = input as typeof input & typeof initial
      const escalationDTO = { reason, description, priority, assigneeId, dueAt: dueAt || null }
      return qcApi.updateEscalation({ id: input.id, version: input.version, escalationDTO })
    },
    onDone: () => {
      void readAgain(['qc'])
      close()
    },
  })
  const due = form.field('dueAt')
  const person = form.field('assigneeId')
  const refusal = (key: string) => form.refused[`escalationDTO.${key}`]
  return (
    <FormModal opened close={close} title="Escalation" save="Save" form={form} nothing="Nothing was saved.">
      <TextInput label={labels.reason} dir="auto" {...form.text('reason')} error={refusal('reason')} />
      <PickOne
        label={labels.assigneeId}
        call={usersApi.list}
        nameOf={({ name }) => name}
        hint={({ departmentName }) => departmentName}
        valueName={opened.assignee?.name ?? null}
        reason={lacking}
        {...person}
        error={refusal('assigneeId') ?? person.error}
      />
      <MomentField label={labels.dueAt} description="Empty: no date" {...due} error={refusal('dueAt') ?? due.error} />
      <Select
        label={labels.priority}
        allowDeselect={false}
        data={priorityOptions}
        value={form.values.priority}
        onChange={(next) => next && form.set('priority', next)}
      />
      <Textarea
        label={labels.description}
        autosize
        minRows={3}
        dir="auto"
        {...form.text('description')}
        error={refusal('description')}
      />
    </FormModal>
  )
}
