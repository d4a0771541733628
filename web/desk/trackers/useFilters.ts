import type { Choices } from '@innkeeper/contract/desk/trackers/shapes'
import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { useQuery } from '@tanstack/react-query'
import type { FilterChoice } from '../../kit/list/filterChoice.ts'
import { apiOf } from './api.ts'

/** Filters of the lists and boards. */
export const filterKeys = [
  ...(['search', 'text', 'status', 'group', 'priority', 'component', 'folder', 'department', 'assignee'] as const),
  ...(['reporter', 'watcher', 'due', 'dateFrom', 'dateTo', 'duplicates', 'deletedOnly'] as const),
] as const

export const useChoices = (tracker: Tracker): Choices | undefined => useQuery(apiOf(tracker).choices.query()).data

const options = (list: readonly { id: number; name: string }[] = []) =>
  list.map(({ id, name }) => ({ value: String(id), label: name }))

/** Choices of the filters, for the bar above a list or a board. */
export function useFilters(tracker: Tracker): FilterChoice[] {
  const choices = useChoices(tracker)
  const people = [{ value: 'me', label: 'Me' }, { value: 'none', label: 'Nobody' }, ...options(choices?.people)]
  return [
    { key: 'status', label: 'Status', options: options(choices?.statuses) },
    {
      key: 'group',
      label: 'Group',
      options: [
        { value: 'backlog', label: 'Backlog' },
        { value: 'open', label: 'Open' },
        { value: 'in-progress', label: 'In progress' },
        { value: 'completed', label: 'Completed' },
        { value: 'cancelled', label: 'Cancelled' },
      ],
    },
    { key: 'priority', label: 'Priority', options: options(choices?.priorities) },
    { key: 'component', label: 'Component', options: options(choices?.components) },
    ...(tracker === 'ticket'
      ? []
      : [
          { key: 'folder', label: 'Folder', options: options(choices?.folders) },
          { key: 'department', label: 'Department', options: options(choices?.departments) },
        ]),
    { key: 'assignee', label: 'Assignee', options: people },
    { key: 'reporter', label: 'Reporter', options: people },
    { key: 'watcher', label: 'Watched', single: true, options: [{ value: 'me', label: 'By me' }] },
    {
      key: 'due',
      label: 'Due',
      single: true,
      options: [
        { value: 'overdue', label: 'Late' },
        { value: 'today', label: 'Today' },
        { value: 'week', label: 'Within a week' },
        { value: 'none', label: 'No day' },
      ],
    },
    { key: 'text', label: 'Words in texts', options: [], typed: 'text' },
    { key: 'dateFrom', label: 'Created from', options: [], typed: 'moment' },
    { key: 'dateTo', label: 'Created until', options: [], typed: 'moment' },
    {
      key: 'duplicates',
      label: 'Duplicates',
      single: true,
      options: [
        { value: 'true', label: 'Only' },
        { value: 'false', label: 'None' },
      ],
    },
    { key: 'deletedOnly', label: 'Deleted', single: true, options: [{ value: 'true', label: 'Only' }] },
  ]
}
