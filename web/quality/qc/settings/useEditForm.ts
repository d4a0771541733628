import type { Endpoint, Input } from '@innkeeper/contract/kit/endpoint'
import { useReason } from '../../../kit/access/reasons.ts'
import type { Bound } from '../../../kit/api/client.ts'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { useAfterSaving } from './useAfterSaving.ts'

interface Row {
  id: number
  name: string
  version: number
}

/** The form of a stored setting at the version that was read, and the props of FormScreen that all settings share. */
export function useEditForm<E extends Endpoint, R extends Row, V extends { [K in keyof V]: unknown }>(
  call: Bound<E>,
  row: R,
  of: { list: string; values: (row: R) => V; labels: { [K in keyof V]?: string } },
) {
  const reason = useReason()(call)
  const { toList, onDone } = useAfterSaving(of.list, 'saved')
  const opened = useOpened(row)
  const form = useCallForm(call, {
    initial: of.values(opened),
    // the calls that save a setting take its id and version, and answer the setting
    fixed: { id: opened.id, version: opened.version } as unknown as Partial<Input<E>>,
    labels: of.labels,
    valuesOf: of.values,
    onDone: (saved) => onDone(saved as Row),
  })
  const screen = { form, nothing: 'Nothing was saved.', edits: true, title: row.name, reason, onCancel: toList }
  return { form, screen }
}
