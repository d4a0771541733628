import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { departmentsApi } from '../../../access/departments/api.ts'
import { usersApi } from '../../../access/users/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { addDays, daysFrom } from '../../../kit/calendar/days.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import type { FilterChoice } from '../../../kit/list/filterChoice.ts'
import { type Filters, readList, writeList } from '../../../kit/list/listState.ts'
import { swedish } from '../../../kit/look/format.ts'
import { qcSettingsApi } from '../api.ts'
import { populationNames } from '../words.ts'

const filters = ['from', 'to', 'kind', 'department', 'agent', 'reviewer', 'scoreType', 'population'] as const
const rules = { filters, size: 50 }
const dayAgo = (days: number) => swedish(new Date(Date.now() - days * 86_400_000)).slice(0, 10)

/** The same filters for as many days before the span. */
export function periodBefore<T extends { from: string; to: string }>(asked: T): T {
  const days = daysFrom(asked.from, asked.to) + 1
  return { ...asked, from: addDays(asked.from, -days), to: addDays(asked.from, -1) }
}

/**
 * Filters of statistics, which the address holds: first and last day (the last 90 days by default) and the reviews that
 * count. `without`: filters that the screen does not offer.
 */
export function useAsked(without: readonly string[] = []) {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const choices = useChoices().filter(({ key }) => !without.includes(key))
  const state = readList(search, rules)
  const { from: [from = dayAgo(89)] = [], to: [to = dayAgo(0)] = [], ...chosen } = state.filters
  const set = (next: Filters, replace = false) =>
    void navigate({ to: '.', search: writeList(search, { ...state, filters: next }, rules), replace })
  const span = { from: [from], to: [to] }
  const list = {
    filters: chosen,
    setFilters: (next: Filters) => set({ ...span, ...next }),
    setFilter: (key: string, values: readonly string[]) => set({ ...span, ...chosen, [key]: values }, true),
  }
  const texts = Object.entries(chosen).flatMap(([key, values]) =>
    values.length && !without.includes(key) ? [[key, values.join(',')]] : [],
  )
  const fields = (
    <Group gap={8} align="end">
      <DateField label="From" value={from} onChange={(day) => set({ ...state.filters, ...span, from: [day] })} />
      <DateField label="To" value={to} onChange={(day) => set({ ...state.filters, ...span, to: [day] })} />
      <FilterBar list={list} filters={choices} />
    </Group>
  )
  return { asked: { from, to, ...(Object.fromEntries(texts) as Record<string, string>) }, fields }
}

/** Filter by chats or tickets. */
export const kindChoice: FilterChoice = {
  ...{ key: 'kind', label: 'Chats or tickets', single: true },
  options: [
    { value: 'chat', label: 'Chats' },
    { value: 'ticket', label: 'Tickets' },
  ],
}

/** Filter by score types; absent for people who may not see them. */
export function useTypeChoice(): FilterChoice[] {
  const lacking = useReason()
  const { data: types } = useQuery({
    ...qcSettingsApi.types.query({ itemsPerPage: 200 }),
    enabled: !lacking(qcSettingsApi.types),
  })
  const options = (types?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return types ? [{ key: 'scoreType', label: 'Score type', options }] : []
}

function useChoices(): FilterChoice[] {
  const lacking = useReason()
  const types = useTypeChoice()
  return [
    kindChoice,
    ...(lacking(departmentsApi.list)
      ? []
      : [{ key: 'department', label: 'Department', options: [], call: departmentsApi.list }]),
    ...(lacking(usersApi.list)
      ? []
      : [
          { key: 'agent', label: 'Agent', options: [], call: usersApi.list },
          { key: 'reviewer', label: 'Reviewer', options: [], call: usersApi.list },
        ]),
    ...types,
    {
      ...{ key: 'population', label: 'Chosen' },
      options: Object.entries(populationNames).map(([value, label]) => ({ value, label })),
    },
  ]
}
