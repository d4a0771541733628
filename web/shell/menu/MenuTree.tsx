import { Collapse, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { initials } from '../../kit/look/initials.ts'
import type { MenuGroup } from '../../menu.ts'
import { leaves } from '../../menuView.ts'
import { NavItem, Tag } from './NavItem.tsx'
import css from './Sidebar.module.css'
import type { ShownMenu } from './useMenu.ts'

interface Props {
  menu: ShownMenu
  /** The active entry is highlighted among the pins, so not here. */
  calm: boolean
  pins: string[]
  toggle: (path: string) => void
}

/** All entries of the menu; groups can be nested. */
export const MenuTree = (props: Props) => <Level {...props} entries={props.menu.entries} depth={0} />

type LevelProps = Props & { entries: ShownMenu['entries'] | MenuGroup['children']; depth: number }
function Level({ entries, depth, ...props }: LevelProps) {
  const { menu, calm, pins, toggle } = props
  return entries.map((entry) => {
    if ('children' in entry) return <Group key={entry.label} {...props} group={entry} depth={depth} />
    const [leaf] = leaves([entry])
    if (!leaf) return null
    const pin = { pinned: pins.includes(entry.path), toggle }
    const active = menu.isActive(entry) && !calm
    return <NavItem key={entry.path} leaf={leaf} active={active} bare={depth > 0} pin={pin} />
  })
}

function Group({ group, depth, ...props }: Props & { group: MenuGroup; depth: number }) {
  const inside = props.menu.isActive(group)
  const [open, setOpen] = useState(inside && !props.calm)
  useEffect(() => {
    if (inside && !props.calm) setOpen(true)
  }, [inside, props.calm])
  return (
    <div>
      <UnstyledButton className={css.item} aria-expanded={open} onClick={() => setOpen(!open)}>
        {depth === 0 && <Tag on={inside && !props.calm}>{initials(group.label)}</Tag>}
        <span className={css.label}>{group.label}</span>
        <IconChevronRight size={13} className={css.chevron} data-open={open || undefined} />
      </UnstyledButton>
      <Collapse expanded={open} transitionDuration={120}>
        <div className={css.children} data-depth={depth}>
          <Level {...props} entries={group.children} depth={depth + 1} />
        </div>
      </Collapse>
    </div>
  )
}
