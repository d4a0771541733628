import { Collapse, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { initials } from '../../kit/look/initials.ts'
import type { MenuEntry, MenuGroup } from '../../menu.ts'
import { leaves } from '../../menuView.ts'
import { NavItem, Tag } from './NavItem.tsx'
import css from './Sidebar.module.css'
import { useClosedAreas } from './useClosedAreas.ts'
import type { ShownMenu } from './useMenu.ts'

interface Props {
  menu: ShownMenu
  /** The active entry is highlighted among the pins, so not here. */
  calm: boolean
  pins: string[]
  toggle: (path: string) => void
}

/** The areas with their entries; groups can be nested. A menu of one area has no heading. */
export function MenuTree(props: Props) {
  const { areas } = props.menu
  const { closed, toggle } = useClosedAreas()
  if (areas.length < 2) return areas.map(({ label, entries }) => <Level key={label} {...props} entries={entries} />)
  return areas.map(({ label, entries }) => {
    const open = !closed.includes(label)
    return (
      <section key={label} className={css.area} aria-label={label}>
        <UnstyledButton className={css.heading} aria-expanded={open} onClick={() => toggle(label)}>
          {label}
          <IconChevronRight size={11} className={css.chevron} data-open={open || undefined} />
        </UnstyledButton>
        <Collapse expanded={open} transitionDuration={120}>
          <Level {...props} entries={entries} />
        </Collapse>
      </section>
    )
  })
}

type LevelProps = Props & { entries: readonly MenuEntry[]; depth?: number }
function Level({ entries, depth = 0, ...props }: LevelProps) {
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
