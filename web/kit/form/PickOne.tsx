import { Select, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { kitWords } from '../look/texts.ts'
import css from './PickOne.module.css'
import { useFound } from './useFound.ts'

/** A list call of the contract that supports search. */
interface Lists<R> {
  query(input: { search: string; itemsPerPage: number }): {
    queryKey: readonly unknown[]
    queryFn: (context: { signal: AbortSignal }) => Promise<{ items: R[] }>
  }
}
interface Props<R extends { id: number }> {
  label: string
  placeholder?: string
  description?: ReactNode
  /** Replaces the description while there is no row at all: what is lacking, and where to add one. */
  none?: ReactNode
  required?: boolean
  call: Lists<R>
  nameOf: (row: R) => string
  /** Second line of an option. */
  hint?: (row: R) => string | null
  /** Why an option is disabled. */
  closed?: (row: R) => string | undefined
  value: number | null
  /** Name of the current value before the first search. */
  valueName?: string | null
  onChange: (id: number | null, row?: R) => void
  onBlur?: () => void
  error?: ReactNode
  /** Renders an option, instead of name and hint. */
  option?: (row: R) => ReactNode
  /** Shows the name in the monospaced font. */
  mono?: boolean
  /** Why the whole field is disabled. */
  reason?: string
}

/** Chooses one row of a list that the server searches, of any length. */
export function PickOne<R extends { id: number }>(props: Props<R>) {
  const { call, nameOf, hint, closed, option: shown, value, valueName, onChange, reason, required } = props
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<R>()
  const current = chosen?.id === value && chosen ? nameOf(chosen) : (valueName ?? '')
  // the search text equal to the chosen name is no search
  const { rows, ...found } = useFound(
    typed === current ? '' : typed,
    (search) => call.query({ search, itemsPerPage: 50 }),
    { rowsOf: ({ items }) => items, textOf: (row) => `${nameOf(row)} ${hint?.(row) ?? ''}`, enabled: !reason },
  )
  const isEmpty = typed === '' && value === null && !found.isLooking && !found.error && rows.length === 0
  const rowOf = (id: string | null) => rows.find((one) => String(one.id) === id)
  const data = rows.map((row) => ({ value: String(row.id), label: nameOf(row), disabled: closed?.(row) !== undefined }))
  if (value !== null && current && !data.some((item) => item.value === String(value)))
    data.unshift({ value: String(value), label: current, disabled: false })
  return (
    <Select
      label={props.label}
      placeholder={props.placeholder}
      description={reason ?? ((isEmpty && props.none) || props.description)}
      withAsterisk={required}
      searchable
      clearable={!required && value !== null}
      disabled={reason !== undefined}
      data={data}
      filter={({ options }) => options} // the server filters the options
      value={value === null ? null : String(value)}
      onChange={(id) => {
        const row = rowOf(id)
        setChosen(row)
        onChange(id === null ? null : Number(id), row)
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      selectFirstOptionOnChange={found.isFound}
      onBlur={props.onBlur}
      error={props.error ?? found.error?.message}
      nothingFoundMessage={found.isLooking ? kitWords().looking : kitWords().nothingFound}
      classNames={{ option: css.option }}
      styles={props.mono && value !== null ? { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } : {}}
      renderOption={({ option }) => {
        const row = rowOf(option.value)
        if (row && shown) return shown(row)
        return (
          <div>
            <Text>{option.label}</Text>
            <Text c="dimmed" fz="xs">
              {row && (closed?.(row) ?? hint?.(row))}
            </Text>
          </div>
        )
      }}
    />
  )
}
