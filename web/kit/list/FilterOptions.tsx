import { Button, Group, TextInput, UnstyledButton } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { DateFieldProps } from '../form/DateField.tsx'
import type { DateTimeFieldProps } from '../form/DateTimeField.tsx'
import { focusWrong } from '../form/useTyped.ts'
import { lazyPart } from '../frame/lazyScreen.tsx'
import { kitWords } from '../look/texts.ts'
import css from './FilterBar.module.css'
import type { FilterChoice, Option } from './filterChoice.ts'
import { listTexts } from './texts.ts'

/** Options up to this number need no search field. */
const AT_A_GLANCE = 12

export interface Props {
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

export function SearchInput({
  title,
  typed,
  setTyped,
}: {
  title: string
  typed: string
  setTyped: (typed: string) => void
}) {
  return (
    <TextInput
      m={4}
      aria-label={listTexts().searchIn(title)}
      placeholder={kitWords().search}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      data-autofocus
    />
  )
}

export function Options({
  choice: { label: title, single },
  shown,
  values,
  choose,
}: Props & { shown: readonly Option[] }) {
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
            <IconCheck size={14} opacity={on ? 1 : 0} style={{ flex: 'none' }} />
            <span className={css.optionText} dir="auto">
              {label}
            </span>
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

const DateField = lazyPart<DateFieldProps>(
  () => import('../form/DateField.tsx').then((file) => ({ default: file.DateField })),
  () => null,
)

interface TypedProps {
  choice: FilterChoice
  value: string
  choose: (value: string) => void
}

/** A filter with a text field, a day, or a date and time in the person's time zone, stored with its offset. */
export function FilterTyped({ choice: { label, typed }, value, choose }: TypedProps) {
  const Field = typed === 'moment' ? MomentField : typed === 'day' ? DateField : undefined
  const [text, setText] = useState(value)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!focusWrong(event.currentTarget)) choose(text.trim())
  }
  return (
    <form onSubmit={submit}>
      <Group gap={8} p={6} wrap="nowrap">
        {Field ? (
          <Field aria-label={label} value={text} onChange={setText} autoFocus />
        ) : (
          <TextInput
            aria-label={label}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
        )}
        <Button type="submit">{listTexts().apply}</Button>
      </Group>
    </form>
  )
}
