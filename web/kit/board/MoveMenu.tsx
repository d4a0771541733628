import { Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import css from './board.module.css'

interface Props {
  name: string
  /** The other columns; `reason` says why the card cannot be moved there. */
  columns: readonly { id: string; title: string; reason?: string }[]
  onMove: (column: string) => void
}

/** A menu that moves a card without dragging. Created on first use, because most menus are never opened. */
export function MoveMenu({ name, columns, onMove }: Props) {
  const [wasOpened, setWasOpened] = useState(false)
  const [opened, setOpened] = useState(false)
  const title = `Move ${name}`
  const button = (
    <button
      type="button"
      tabIndex={-1}
      className={css.dots}
      aria-label={title}
      aria-haspopup="menu"
      aria-expanded={opened}
      onClick={() => {
        setWasOpened(true)
        setOpened(!opened)
      }}
    >
      <IconDots size={16} aria-hidden />
    </button>
  )
  if (!wasOpened) return button
  return (
    <Menu opened={opened} onChange={setOpened} width={204}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Move to</Menu.Label>
        {columns.map((column) => (
          <Menu.Item
            key={column.id}
            data-disabled={column.reason ? true : undefined}
            title={column.reason}
            onClick={() => column.reason ?? onMove(column.id)}
          >
            {column.title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
