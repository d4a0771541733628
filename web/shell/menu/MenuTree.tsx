import { Collapse, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useEffect } from 'react'
import { nameOf } from '../../kit/frame/names.ts'
import type { MenuEntry, MenuGroup } from '../../menu.ts'
import { leaves } from '../../menuView.ts'
import { NavItem, Pictogram } from './NavItem.tsx'
import css from './Sidebar.module.css'
import type { ShownMenu } from './useMenu.ts'
import { useStoredWords } from './useStoredWords.ts'

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
  const { words: closed, toggle } = useStoredWords('innkeeper.closed-areas')
  if (areas.length < 2) return areas.map(({ label, entries }) => <Level key={label} {...props} entries={entries} />)
  return areas.map(({ label, entries }) => {
    const open = !closed.includes(label)
    return (
      <section key={label} className={css.area} aria-label={nameOf(label)}>
        <UnstyledButton className={css.heading} aria-expanded={open} onClick={() => toggle(label)}>
          {nameOf(label)}
          <IconChevronRight size={11} className={css.chevron} data-open={open || undefined} />
        </UnstyledButton>
        <Collapse expanded={open} transitionDuration={120}>
          <Level {...props} entries={entries} />
        </Collapse>
      </section>
    )
  })
}

type LevelProps = Props & { entries: readonly MenuEntry[]; depth?: number; above?: string }
function Level({ entries, depth = 0, above = '', ...props }: LevelProps) {
  const { menu, calm, pins, toggle } = props
  return entries.map((entry) => {
    if ('children' in entry)
      return <Group key={entry.label} {...props} group={entry} depth={depth} path={`${above}/${entry.label}`} />
    const [leaf] = leaves([entry])
    if (!leaf) return null
    const pin = { pinned: pins.includes(entry.path), toggle }
    const active = menu.isActive(entry) && !calm
    return <NavItem key={entry.path} leaf={leaf} active={active} bare={depth > 0} pin={pin} />
  })
}

/** `path` names the group and those above it. */
function Group({ group, depth, path, ...props }: Props & { group: MenuGroup; depth: number; path: string }) {
  const inside = props.menu.isActive(group)
  const { words, toggle, add } = useStoredWords('innkeeper.open-groups')
  const open = words.includes(path)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a navigation opens the group of its page
  useEffect(() => {
    if (inside && !props.calm) add(path)
  }, [inside, props.calm])
  return (
    <div>
      <UnstyledButton className={css.item} aria-expanded={open} onClick={() => toggle(path)}>
        {depth === 0 && <Pictogram of={group.label} on={inside && !props.calm} />}
        <span className={css.label}>{nameOf(group.label)}</span>
        <IconChevronRight size={13} className={css.chevron} data-open={open || undefined} />
      </UnstyledButton>
      <Collapse expanded={open} transitionDuration={120}>
        <div className={css.children} data-depth={depth}>
          <Level {...props} entries={group.children} depth={depth + 1} above={path} />
        </div>
      </Collapse>
    </div>
  )
}
