import type { ItemPage } from '@innkeeper/contract/desk/trackers/shapes'
import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Select, Text } from '@mantine/core'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { DateField } from '../../kit/form/DateField.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { Quiet } from '../../kit/form/Quiet.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { hintOf } from './api.ts'
import { data, labels } from './ItemFields.tsx'
import { type Fields, save, saveCall } from './save.ts'
import { useChoices } from './useFilters.ts'

type Key = Exclude<keyof Fields, 'dueOn' | 'estimateMinutes'>

/** Fields of an item, each of which is saved when it is chosen. */
export function ItemFacts({ tracker, item }: { tracker: Tracker; item: ItemPage }) {
  const choices = useChoices(tracker)
  const lacking = useReason()
  const put = (fields: Fields) => void attempt(() => save(tracker, item, fields), [hintOf[tracker]])
  const select = (
    key: Key,
    current: { id: number; name: string } | null,
    list: readonly { id: number; name: string }[] = [],
  ) => {
    const reason = lacking(saveCall(tracker, key))
    const all = current && !list.some(({ id }) => id === current.id) ? [current, ...list] : list
    return (
      <Select
        label={labels[key]}
        size="sm"
        searchable
        placeholder={key === 'assigneeId' ? 'Nobody' : 'None'}
        clearable={key !== 'statusId' && !reason}
        allowDeselect={key !== 'statusId'}
        readOnly={reason !== undefined}
        title={reason}
        data={data(all)}
        value={current ? String(current.id) : null}
        onChange={(value) => {
          if (key !== 'statusId') put({ [key]: value === null ? null : Number(value) })
          else if (value !== null) put({ statusId: Number(value) })
        }}
      />
    )
  }
  const reason = lacking(saveCall(tracker, 'dueOn'))
  return (
    <Section title="Details">
      <Quiet>
        {select('statusId', item.status, choices?.statuses)}
        {select('assigneeId', item.assignee, choices?.people)}
        {select('priorityId', item.priority, choices?.priorities)}
        {select('componentId', item.component, choices?.components)}
        {tracker !== 'ticket' && select('folderId', item.folder, choices?.folders)}
        {tracker !== 'ticket' && select('departmentId', item.department, choices?.departments)}
        <DateField
          label={labels.dueOn}
          name="dueOn"
          required={false}
          placeholder="No day"
          readOnly={reason !== undefined}
          title={reason}
          value={item.dueOn ?? ''}
          onChange={(day) => {
            if (day === '' || /^\d{4}-\d\d-\d\d$/.test(day)) put({ dueOn: day || null })
          }}
          onBlur={() => undefined}
        />
        <NumberField
          key={item.estimateMinutes}
          label="Estimate, min"
          placeholder="None"
          hideControls
          min={0}
          max={100_000}
          allowDecimal={false}
          readOnly={reason !== undefined}
          defaultValue={item.estimateMinutes ?? ''}
          onBlur={({ currentTarget: { value } }) => {
            const estimateMinutes = value === '' ? null : Number(value.replace(/\D/g, ''))
            if (estimateMinutes !== item.estimateMinutes) put({ estimateMinutes })
          }}
        />
        <Text c="dimmed" fz="xs" mt={8}>
          Watched by {item.watchers.map(({ name }) => name).join(', ') || 'nobody'}
        </Text>
        {tracker === 'feature' && item.voters.length > 0 && (
          <Text c="dimmed" fz="xs">
            Wanted by {item.voters.map(({ name }) => name).join(', ')}
          </Text>
        )}
      </Quiet>
    </Section>
  )
}
