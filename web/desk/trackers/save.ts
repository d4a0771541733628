import type { Item } from '@innkeeper/contract/desk/trackers/shapes'
import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { bugsApi, featuresApi, ticketsApi } from './api.ts'

export interface Fields {
  statusId?: number
  assigneeId?: number | null
  priorityId?: number | null
  componentId?: number | null
  folderId?: number | null
  departmentId?: number | null
  dueOn?: string | null
  estimateMinutes?: number | null
}

/** The call that changes a field: status and assignee of a ticket have calls of their own. */
export function saveCall(tracker: Tracker, field: keyof Fields) {
  if (tracker === 'bug') return bugsApi.update
  if (tracker === 'feature') return featuresApi.update
  if (field === 'statusId') return ticketsApi.setStatus
  return field === 'assigneeId' ? ticketsApi.assign : ticketsApi.update
}

/** Changes one field of an item that the screen shows. 409 if somebody else changed the item first. */
export async function save(
  tracker: Tracker,
  { id, version }: Pick<Item, 'id' | 'version'>,
  fields: Fields,
): Promise<unknown> {
  if (tracker === 'bug') return bugsApi.update({ id, version, ...fields })
  if (tracker === 'feature') return featuresApi.update({ id, version, ...fields })
  const { statusId, assigneeId, ...others } = fields
  if (statusId !== undefined) return ticketsApi.setStatus({ id, version, statusId })
  if (assigneeId !== undefined) return ticketsApi.assign({ id, version, assigneeId })
  return ticketsApi.update({ id, version, ...others })
}
