import { ActionIcon, Button, Group, Popover, TextInput, Tooltip, UnstyledButton } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import css from './FilterBar.module.css'
import type { Filterable } from './FilterBar.tsx'
import type { Filters } from './listState.ts'

export interface View {
  name: string
  filters: Filters
}

const same = (a: Filters, b: Filters): boolean => {
  const text = (filters: Filters) =>
    JSON.stringify(
      Object.entries(filters)
        .filter(([, values]) => values.length)
        .map(([key, values]) => [key, [...values].sort()])
        .sort(),
    )
  return text(a) === text(b)
}

/** Saved views: a question with a name. A changed view loses its mark until it is saved. */
export function Views({ name, list, views }: { name: string; list: Filterable; views: readonly View[] }) {
  const [own, setOwn] = useLocalStorage<View[]>({
    key: `innkeeper.views.${name}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const all = [{ name: 'All', filters: {} }, ...views, ...own]
  const current = all.find((view) => same(view.filters, list.filters))
  const save = (title: string) =>
    setOwn([...own.filter((view) => view.name !== title), { name: title, filters: list.filters }])
  return (
    <nav className={css.views} aria-label="Views">
      {all.map((view) => (
        <UnstyledButton
          key={view.name}
          className={css.view}
          aria-current={view === current ? 'true' : undefined}
          onClick={() => list.setFilters(view.filters)}
        >
          {view.name}
        </UnstyledButton>
      ))}
      {current && own.includes(current) && (
        <Tooltip label={`Forget the view ${current.name}`}>
          <ActionIcon
            my={3}
            aria-label={`Forget the view ${current.name}`}
            onClick={() => setOwn(own.filter((view) => view !== current))}
          >
            <IconX size={14} />
          </ActionIcon>
        </Tooltip>
      )}
      {!current && <SaveView save={save} />}
    </nav>
  )
}

function SaveView({ save }: { save: (name: string) => void }) {
  const [opened, { toggle, close }] = useDisclosure()
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!name.trim()) return
    save(name.trim())
    close()
  }
  return (
    <Popover opened={opened} onChange={(now) => now || close()} trapFocus position="bottom-start">
      <Popover.Target>
        <ActionIcon my={3} aria-label="Save these filters as a view" onClick={toggle}>
          <IconPlus size={15} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={10}>
        <form onSubmit={submit}>
          <Group gap={8} align="flex-end">
            <TextInput
              label="Name of the view"
              maxLength={40}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" disabled={!name.trim()}>
              Save
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
