import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import { Group, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useFound } from '../../kit/form/useFound.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { websitesApi } from '../websites/api.ts'

interface Props {
  label: string
  description?: string
  /** Limits the search to websites of this owner. */
  ownerId?: number
  /** Websites to exclude, such as current members. */
  without?: readonly number[]
  value?: WebsiteRow
  onChoose: (website: WebsiteRow | undefined) => void
  onBlur?: () => void
  error?: string
}

/** Finds a website by domain. A website of another group is disabled with the reason. */
export function WebsitePicker({ label, description, ownerId, without = [], value, onChoose, onBlur, error }: Props) {
  const [typed, setTyped] = useState('')
  const userid = ownerId === undefined ? undefined : [ownerId]
  const {
    rows,
    error: failed,
    isLooking,
    isFound,
  } = useFound(
    typed === value?.domain ? '' : typed,
    (domain) => websitesApi.list.query({ domain, userid, sort: 'domain', itemsPerPage: 30 }),
    { rowsOf: ({ Websites }) => Websites, textOf: ({ domain }) => domain },
  )
  const found = rows.filter(({ id }) => !without.includes(id))
  const known = value && !found.some(({ id }) => id === value.id) ? [value, ...found] : found
  return (
    <Select
      label={label}
      description={description}
      searchable
      clearable={value !== undefined}
      placeholder="Domain"
      data={known.map((site) => ({ value: String(site.id), label: site.domain, disabled: site.groupId !== null }))}
      // the server filters the options
      filter={({ options }) => options}
      value={value ? String(value.id) : null}
      onChange={(id) => onChoose(known.find((site) => String(site.id) === id))}
      searchValue={typed}
      onSearchChange={setTyped}
      selectFirstOptionOnChange={isFound}
      onBlur={onBlur}
      nothingFoundMessage={isLooking ? 'Looking…' : 'No such website'}
      error={error ?? failed?.message}
      renderOption={({ option }) => {
        const site = known.find(({ id }) => String(id) === option.value)
        return (
          <Group justify="space-between" gap={8} wrap="nowrap" w="100%">
            <Mono truncate c={option.disabled ? 'dimmed' : undefined}>
              {option.label}
            </Mono>
            <Text c="dimmed" fz="xs" style={{ whiteSpace: 'nowrap' }}>
              {option.disabled ? `in group ${site?.groupId}` : site?.ownerName}
            </Text>
          </Group>
        )
      }}
    />
  )
}
