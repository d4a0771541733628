import type { Choices } from '@innkeeper/contract/desk/trackers/shapes'
import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useReason } from '../../kit/access/reasons.ts'
import { DateField } from '../../kit/form/DateField.tsx'
import type { FieldProps, TextProps } from '../../kit/form/useCallForm.ts'
import { saveCall } from './save.ts'

export const labels = {
  title: 'Title',
  description: 'Description',
  steps: 'Steps',
  expected: 'Expected',
  statusId: 'Status',
  priorityId: 'Priority',
  componentId: 'Component',
  folderId: 'Folder',
  departmentId: 'Department',
  assigneeId: 'Assignee',
  dueOn: 'Due',
  estimateMinutes: 'Estimate in minutes',
}

export interface Form {
  text: (key: string) => TextProps
  field: (key: string) => FieldProps<string>
}

export const data = (list: readonly { id: number; name: string }[] = []) =>
  list.map(({ id, name }) => ({ value: String(id), label: name }))

/** Title and texts. */
export const TextFields = ({ tracker, form }: { tracker: Tracker; form: Form }) => (
  <>
    <TextInput label={labels.title} autoFocus autoComplete="off" {...form.text('title')} />
    <Textarea label={labels.description} autosize minRows={4} {...form.text('description')} />
    {tracker === 'bug' && (
      <>
        <Textarea label={labels.steps} autosize minRows={3} {...form.text('steps')} />
        <Textarea label={labels.expected} autosize minRows={2} {...form.text('expected')} />
      </>
    )}
  </>
)

/** Choices of a new item. */
export function ChoiceFields({
  tracker,
  form,
  choices,
}: {
  tracker: Tracker
  form: Form
  choices: Choices | undefined
}) {
  const lacking = useReason()
  const select = (
    key: keyof typeof labels,
    list: readonly { id: number; name: string }[] | undefined,
    hint = 'None',
  ) => {
    const { value, onChange, ...rest } = form.field(key)
    const needsMore = tracker === 'ticket' && (key === 'statusId' || key === 'assigneeId')
    const reason = needsMore ? lacking(saveCall(tracker, key)) : undefined
    return (
      <Select
        {...rest}
        label={labels[key]}
        placeholder={hint}
        searchable
        clearable={!reason}
        disabled={reason !== undefined}
        title={reason}
        data={data(list)}
        value={value || null}
        onChange={(next) => onChange(next ?? '')}
      />
    )
  }
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {select('statusId', choices?.statuses, 'The default')}
      {select('priorityId', choices?.priorities, 'The default')}
      {select('componentId', choices?.components)}
      {tracker !== 'ticket' && select('folderId', choices?.folders)}
      {tracker !== 'ticket' && select('departmentId', choices?.departments)}
      {select('assigneeId', choices?.people, 'Nobody')}
      <DateField label={labels.dueOn} {...form.field('dueOn')} />
      <TextInput label={labels.estimateMinutes} inputMode="numeric" {...form.text('estimateMinutes')} />
    </SimpleGrid>
  )
}
