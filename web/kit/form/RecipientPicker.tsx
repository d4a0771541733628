import { Combobox, Group, Pill, PillsInput, Text, useCombobox } from '@mantine/core'
import { IconBuilding, IconClock, IconUser } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'
import { useFound } from './useFound.ts'

export interface Recipient {
  /** `shift`: the person on shift when the message is sent. */
  kind: 'person' | 'department' | 'shift'
  id: number
  name: string
  /** Second line of an option: "Support, 12 people". */
  hint?: string
}

interface Props {
  label: string
  description?: ReactNode
  placeholder?: string
  required?: boolean
  error?: ReactNode
  value: readonly Recipient[]
  onChange: (recipients: Recipient[]) => void
  onBlur?: () => void
  /** Searches recipients by text. */
  search: (text: string, signal: AbortSignal) => Promise<readonly Recipient[]>
  /** Query key that caches the answers of `search`. */
  searchKey: readonly unknown[]
}

const icons = { person: IconUser, department: IconBuilding, shift: IconClock }
const groups = { shift: 'On shift now', department: 'Departments', person: 'People' }
const kinds = ['shift', 'department', 'person'] as const
const keyOf = ({ kind, id }: Recipient) => `${kind} ${id}`

/** Recipients of a message: people, departments, and the person on shift. Backspace removes the last one. */
export function RecipientPicker(props: Props) {
  const { label, description, placeholder, required, error, value, onChange, onBlur, search, searchKey } = props
  const [typed, setTyped] = useState('')
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const { rows, ...found } = useFound(
    typed,
    (text) => ({ queryKey: [...searchKey, text], queryFn: ({ signal }) => search(text, signal) }),
    { rowsOf: (all) => all, textOf: ({ name, hint }) => `${name} ${hint ?? ''}`, enabled: combobox.dropdownOpened },
  )
  const { selectFirstOption } = combobox
  const first = rows[0] && keyOf(rows[0])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows come later than the letters
  useEffect(() => {
    if (found.isFound) selectFirstOption()
  }, [found.isFound, first])
  const chosen = new Set(value.map(keyOf))
  const open = rows.filter((one) => !chosen.has(keyOf(one)))
  const remove = (gone: Recipient) => onChange(value.filter((one) => keyOf(one) !== keyOf(gone)))
  const add = (key: string) => {
    const one = open.find((recipient) => keyOf(recipient) === key)
    if (one) onChange([...value, one])
    setTyped('')
    combobox.resetSelectedOption()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const last = value.at(-1)
    if (event.key !== 'Backspace' || typed !== '' || !last) return
    event.preventDefault()
    remove(last)
  }
  return (
    <Combobox store={combobox} onOptionSubmit={add} withinPortal>
      <Combobox.DropdownTarget>
        <PillsInput
          label={label}
          description={description}
          withAsterisk={required}
          error={error ?? found.error?.message}
          onClick={() => combobox.openDropdown()}
        >
          <Pill.Group>
            {value.map((one) => (
              <Pill
                key={keyOf(one)}
                withRemoveButton
                removeButtonProps={{ 'aria-label': `Remove ${one.name}`, 'aria-hidden': false, tabIndex: 0 }}
                onRemove={() => remove(one)}
              >
                {one.name}
              </Pill>
            ))}
            <Combobox.EventsTarget withExpandedAttribute>
              <PillsInput.Field
                aria-label={label}
                placeholder={value.length ? undefined : placeholder}
                value={typed}
                onFocus={() => combobox.openDropdown()}
                onBlur={() => {
                  combobox.closeDropdown()
                  onBlur?.()
                }}
                onChange={(event) => {
                  setTyped(event.currentTarget.value)
                  combobox.openDropdown()
                  combobox.updateSelectedOptionIndex()
                }}
                onKeyDown={onKeyDown}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Combobox.Options mah={280} style={{ overflowY: 'auto' }} aria-label={label}>
          {kinds.map((kind) => {
            const of = open.filter((one) => one.kind === kind)
            return of.length ? (
              <Combobox.Group key={kind} label={groups[kind]}>
                {of.map((one) => (
                  <Choice key={keyOf(one)} of={one} />
                ))}
              </Combobox.Group>
            ) : null
          })}
          {open.length === 0 && <Combobox.Empty>{found.isLooking ? 'Looking…' : 'Nobody is found'}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function Choice({ of }: { of: Recipient }) {
  const Icon = icons[of.kind]
  return (
    <Combobox.Option value={keyOf(of)}>
      <Group gap={8} wrap="nowrap">
        <Icon size={16} aria-hidden style={{ flex: 'none' }} />
        <div style={{ minWidth: 0 }}>
          <Text truncate>{of.name}</Text>
          {of.hint && (
            <Text c="dimmed" fz="xs" truncate>
              {of.hint}
            </Text>
          )}
        </div>
      </Group>
    </Combobox.Option>
  )
}
