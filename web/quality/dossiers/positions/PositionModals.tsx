import type { Position } from '@innkeeper/contract/quality/dossiers/shapes'
import { Textarea, TextInput } from '@mantine/core'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { type FieldProps, useCallForm } from '../../../kit/form/useCallForm.ts'
import { positionsApi } from '../api.ts'

const labels = { name: 'Name', description: 'Description', level: 'Level', positionId: 'Position above' }
const done = (name: string, what: string, close: () => void) => {
  void readAgain(['dossiers'])
  toast.success(`${name} is ${what}`)
  close()
}

export function CreateModal({ close }: { close: () => void }) {
  const form = useCallForm(positionsApi.createPosition, {
    initial: { name: '', description: '', level: 1 as number | string, positionId: null as number | null },
    labels,
    onDone: ({ name }) => done(name, 'created', close),
  })
  return (
    <FormModal
      {...{ opened: true, close, form }}
      title="Create position"
      save="Create position"
      nothing="Nothing was created."
    >
      <Fields form={form} />
    </FormModal>
  )
}

export function ChangeModal({ position, close }: { position: Position; close: () => void }) {
  const { id, version, name, description, level, positionId, positionName } = position
  const form = useCallForm(positionsApi.updatePosition, {
    initial: { name, description, level: level as number | string, positionId, version },
    fixed: { id },
    labels,
    onDone: (saved) => done(saved.name, 'saved', close),
  })
  return (
    <FormModal
      {...{ opened: true, close, form }}
      title={`Change ${name}`}
      save="Save position"
      nothing="Nothing was saved."
    >
      <Fields form={form} above={positionName} />
    </FormModal>
  )
}

interface Form {
  text: (key: 'name' | 'description') => object
  field: {
    (key: 'level'): FieldProps<number | string>
    (key: 'positionId'): FieldProps<number | null>
  }
}
const Fields = ({ form, above }: { form: Form; above?: string | null }) => (
  <>
    <TextInput label={labels.name} data-autofocus autoComplete="off" {...form.text('name')} />
    <Textarea label={labels.description} autosize minRows={2} {...form.text('description')} />
    <NumberField
      label={labels.level}
      description="0 is the top; the chart orders people by it"
      min={0}
      max={100}
      {...form.field('level')}
    />
    <PickOne
      label={labels.positionId}
      call={positionsApi.positions}
      nameOf={({ name }) => name}
      valueName={above ?? null}
      {...form.field('positionId')}
    />
  </>
)
