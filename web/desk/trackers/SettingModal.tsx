import type { Setting } from '@innkeeper/contract/desk/trackers/shapes'
import {
  groups,
  type SettingKind,
  type Group as StatusGroup,
  type Tracker,
} from '@innkeeper/contract/desk/trackers/values'
import { Select, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { readAgain } from '../../kit/api/readAgain.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { hintOf, type SettingsApi } from './api.ts'

export const groupNames: Record<StatusGroup, string> = {
  backlog: 'Backlog',
  open: 'Open',
  'in-progress': 'In progress',
  completed: 'Completed',
  cancelled: 'Cancelled',
}
const colourNames = {
  secondary: 'Grey',
  primary: 'Teal',
  accent: 'Plum',
  info: 'Blue',
  success: 'Green',
  warning: 'Amber',
  error: 'Red',
}

interface Props {
  tracker: Tracker
  kind: SettingKind
  api: SettingsApi
  /** The setting to change; undefined to create one. */
  row: Setting | undefined
  /** Position of a new setting. */
  next: number
  close: () => void
}

/** Name, colour, place and group of a setting. */
export function SettingModal({ tracker, kind, api, row: current, next, close }: Props) {
  // the setting as the form was opened: a later change by somebody else is a conflict
  const [row] = useState(current)
  const isStatus = kind === 'status'
  // a new setting has no id and no version; its other fields are those of a change
  const call = (row ? api.update : api.create) as typeof api.update
  const form = useCallForm(call, {
    initial: {
      name: row?.name ?? '',
      description: row?.description ?? '',
      colour: row?.colour ?? 'secondary',
      position: row?.position ?? next,
      isDefault: row?.isDefault ?? false,
      ...(isStatus && { group: row?.group ?? 'open' }),
    } as Pick<Setting, 'name' | 'description' | 'colour' | 'position' | 'isDefault'> & { group?: StatusGroup },
    ...(row && { fixed: { id: row.id, version: row.version } }),
    labels: { name: 'Name' },
    onDone: () => {
      void readAgain([hintOf[tracker]])
      close()
    },
  })
  const colour = form.field('colour')
  const position = form.field('position')
  return (
    <FormModal
      opened
      close={close}
      title={row ? `Change ${row.name}` : `Add a ${kind}`}
      save={row ? 'Save' : 'Add'}
      form={form}
      nothing="Nothing was saved."
    >
      <TextInput label="Name" autoComplete="off" data-autofocus {...form.text('name')} />
      <TextInput label="Description" autoComplete="off" {...form.text('description')} />
      <SimpleGrid cols={2}>
        <Select
          label="Colour"
          allowDeselect={false}
          data={Object.entries(colourNames).map(([value, label]) => ({ value, label }))}
          value={colour.value}
          onChange={(value) => colour.onChange((value ?? 'secondary') as Setting['colour'])} // the options are our own
        />
        <TextInput
          label="Place"
          inputMode="numeric"
          value={String(position.value)}
          error={position.error}
          onChange={({ currentTarget }) => position.onChange(Number(currentTarget.value) || 0)}
        />
      </SimpleGrid>
      {isStatus && (
        <Select
          label="Group"
          allowDeselect={false}
          data={groups.map((value) => ({ value, label: groupNames[value] }))}
          value={form.values.group ?? 'open'}
          onChange={(value) => form.set('group', (value ?? 'open') as StatusGroup)} // as above
        />
      )}
      <Switch
        label="Default for new items"
        checked={form.values.isDefault}
        onChange={({ currentTarget }) => form.set('isDefault', currentTarget.checked)}
      />
    </FormModal>
  )
}
