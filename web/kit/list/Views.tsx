import { ActionIcon, Button, Group, Popover, TextInput, Tooltip, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { later } from '../frame/later.tsx'
import { kitWords } from '../look/texts.ts'
import css from './FilterBar.module.css'
import type { Filterable } from './FilterBar.tsx'
import type { Direction } from './listState.ts'
import { isView, type OwnView, useSavedViews, type View } from './savedViews.ts'
import { listTexts } from './texts.ts'

export type { View }

interface Viewable extends Filterable {
  sort?: string
  direction?: Direction
  setView: (view: Omit<View, 'name'>) => void
}
interface Props {
  name: string
  list: Viewable
  views: readonly View[]
}

/** Saved views of a list. A view with changed filters loses its mark until it is saved. */
export const Views = later(function Bar({ name, list, views }: Props) {
  const { own, save, forget } = useSavedViews(name)
  const all: OwnView[] = [{ name: listTexts().all, filters: {} }, ...views, ...own]
  const { filters, sort, direction } = list
  const current = all.findLast((view) => isView(view, { name: '', filters, sort, direction }))
  return (
    <nav className={css.views} aria-label={listTexts().views}>
      {all.map((view) => (
        <UnstyledButton
          key={view.id ?? view.name}
          className={css.view}
          aria-current={view === current ? 'true' : undefined}
          onClick={() => list.setView(view)}
        >
          {view.name}
        </UnstyledButton>
      ))}
      {current?.id !== undefined && (
        <Tooltip label={listTexts().deleteView(current.name)}>
          <ActionIcon my={3} aria-label={listTexts().deleteView(current.name)} onClick={() => void forget(current)}>
            <IconX size={14} />
          </ActionIcon>
        </Tooltip>
      )}
      {!(current && isSame(current, list)) && (
        <SaveView save={(title) => void save({ name: title, filters, sort, direction })} />
      )}
    </nav>
  )
})

/** Compares filters and order, to detect that the current view is already saved. */
const isSame = ({ sort, direction }: View, list: Viewable): boolean =>
  sort === list.sort && direction === list.direction

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
        <ActionIcon my={3} aria-label={listTexts().saveView} onClick={toggle}>
          <IconPlus size={15} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={10}>
        <form onSubmit={submit}>
          <Group gap={8} align="flex-end">
            <TextInput
              label={listTexts().viewName}
              maxLength={40}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" disabled={!name.trim()}>
              {kitWords().save}
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
