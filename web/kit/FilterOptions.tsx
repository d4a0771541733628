import { Button, Group, TextInput, UnstyledButton } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import css from './FilterBar.module.css'
import type { FilterChoice } from './FilterBar.tsx'

/** A list longer than this is searched. */
const AT_A_GLANCE = 12

interface Props {
  choice: FilterChoice
  values: readonly string[]
  choose: (values: string[]) => void
}

/** The choice of one filter, several at a time unless the call takes one. */
export function FilterOptions({ choice: { label: title, options, single }, values, choose }: Props) {
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  const shown = options.filter(({ value, label }) => label.toLowerCase().includes(wanted) || values.includes(value))
  return (
    <>
      {options.length > AT_A_GLANCE && (
        <TextInput
          m={4}
          aria-label={`Search ${title}`}
          placeholder="Search"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          data-autofocus
        />
      )}
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
    </>
  )
}

interface TypedProps {
  choice: FilterChoice
  value: string
  choose: (value: string) => void
}

/** A filter that is typed: a text, or a moment of this browser's time zone, kept with its offset. */
export function FilterTyped({ choice: { label, typed }, value, choose }: TypedProps) {
  const isMoment = typed === 'moment'
  const [text, setText] = useState(isMoment ? toLocal(value) : value)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const chosen = text.trim()
    choose(isMoment && chosen ? new Date(chosen).toISOString() : chosen)
  }
  return (
    <form onSubmit={submit}>
      <Group gap={8} p={6} wrap="nowrap">
        <TextInput
          aria-label={label}
          type={isMoment ? 'datetime-local' : 'text'}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        <Button type="submit">Apply</Button>
      </Group>
    </form>
  )
}

/** As the browser's own field has it: `2026-11-21T14:02`. */
function toLocal(iso: string): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
