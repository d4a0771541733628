import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorLine } from '../frame/ErrorLine.tsx'
import { kitWords } from '../look/texts.ts'
import css from './FilterBar.module.css'
import { Options, type Props, SearchInput } from './FilterOptions.tsx'
import type { FilterChoice, Finds, Option } from './filterChoice.ts'
import { listTexts } from './texts.ts'

const AT_ONCE = 50
const asOption = ({ id, name }: { id: number; name: string }): Option => ({ value: String(id), label: name })

/** Names of the ids in the address. The id of a deleted row stays a number. */
export function useNames(call: Finds, { options }: FilterChoice, values: readonly string[]): Option[] {
  const known = options.filter(({ value }) => values.includes(value))
  const unknown = values.filter((value) => /^\d{1,9}$/.test(value) && !known.some((option) => option.value === value))
  const { data } = useQuery({
    ...call.query({ ids: unknown.map(Number), itemsPerPage: 200 }),
    enabled: unknown.length > 0,
    placeholderData: keepPreviousData,
  })
  return [...known, ...(data?.items ?? []).map(asOption)]
}

/** Options of a filter that the server searches; chosen options come first. */
export function FilterFound({ call, choice, values, choose }: Props & { call: Finds }) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  const names = useNames(call, choice, values)
  const { data, error, isPending } = useQuery({
    ...call.query({ ...(search && { search }), itemsPerPage: AT_ONCE }),
    placeholderData: keepPreviousData,
  })
  const chosen = values.map((value) => names.find((one) => one.value === value) ?? { value, label: value })
  const found = (data?.items ?? []).map(asOption).filter(({ value }) => !values.includes(value))
  return (
    <>
      <SearchInput title={choice.label} typed={typed} setTyped={setTyped} />
      <Options choice={choice} shown={[...chosen, ...found]} values={values} choose={choose} />
      {error ? (
        <ErrorLine error={error} />
      ) : (
        <Text className={css.hint} role="status">
          {isPending
            ? kitWords().looking
            : data.total === 0
              ? kitWords().nothingFound
              : data.total > AT_ONCE && listTexts().firstFound(AT_ONCE)}
        </Text>
      )}
    </>
  )
}
