import { Button, Group, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCheck } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { DateTimeFieldProps } from '../form/DateTimeField.tsx'
import { focusWrong } from '../form/useTyped.ts'
import { ErrorLine } from '../frame/ErrorLine.tsx'
import { lazyPart } from '../frame/lazyScreen.tsx'
import css from './FilterBar.module.css'
import type { FilterChoice, Option } from './FilterBar.tsx'

/** Options up to this number need no search field. */
const AT_A_GLANCE = 12

interface Props {
  choice: FilterChoice
  values: readonly string[]
  choose: (values: string[]) => void
}

/** Options of one filter; several can be chosen unless the call accepts one only. */
export function FilterOptions({ choice, values, choose }: Props) {
  const { label: title, options } = choice
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  const shown = options.filter(({ value, label }) => label.toLowerCase().includes(wanted) || values.includes(value))
  return (
    <>
      {options.length > AT_A_GLANCE && <SearchInput title={title} typed={typed} setTyped={setTyped} />}
      <Options choice={choice} shown={shown} values={values} choose={choose} />
    </>
  )
}

/** A list call of the contract that supports search and reading by ids. */
export interface Finds {
  query(input: { search?: string; ids?: number[]; itemsPerPage: number }): {
    queryKey: readonly unknown[]
    queryFn: (context: {
      signal: AbortSignal
    }) => Promise<{ items: readonly { id: number; name: string }[]; total: number }>
  }
}
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
            ? 'Looking…'
            : data.total === 0
              ? 'Nothing is found'
              : data.total > AT_ONCE && `The first ${AT_ONCE}: type to find others`}
        </Text>
      )}
    </>
  )
}

function SearchInput({ title, typed, setTyped }: { title: string; typed: string; setTyped: (typed: string) => void }) {
  return (
    <TextInput
      m={4}
      aria-label={`Search ${title}`}
      placeholder="Search"
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      data-autofocus
    />
  )
}

function Options({ choice: { label: title, single }, shown, values, choose }: Props & { shown: readonly Option[] }) {
  return (
    <fieldset className={css.options} aria-label={title}>
      {shown.map(({ value, label }) => {
        const on = values.includes(value)
        return (
          <UnstyledButton
            key={value}
            className={css.option}
            aria-pressed={on}
            onClick={() => choose(on ? values.filter((one) => one !== value) : [...(single ? [] : values), value])}
          >
            <IconCheck size={14} opacity={on ? 1 : 0} />
            {label}
          </UnstyledButton>
        )
      })}
    </fieldset>
  )
}

/** Loaded on demand, because few lists have a date filter. */
const MomentField = lazyPart<DateTimeFieldProps>(
  () => import('../form/MomentField.tsx').then((file) => ({ default: file.MomentField })),
  () => null,
)

interface TypedProps {
  choice: FilterChoice
  value: string
  choose: (value: string) => void
}

/** A filter with a text field, or with a date and time in the person's time zone, stored with its offset. */
export function FilterTyped({ choice: { label, typed }, value, choose }: TypedProps) {
  const isMoment = typed === 'moment'
  const [text, setText] = useState(value)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!focusWrong(event.currentTarget)) choose(text.trim())
  }
  return (
    <form onSubmit={submit}>
      <Group gap={8} p={6} wrap="nowrap">
        {isMoment ? (
          <MomentField aria-label={label} value={text} onChange={setText} autoFocus />
        ) : (
          <TextInput
            aria-label={label}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
        )}
        <Button type="submit">Apply</Button>
      </Group>
    </form>
  )
}
