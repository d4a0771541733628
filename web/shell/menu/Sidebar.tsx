import { ActionIcon, Group, Kbd, ScrollArea, Text, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconLayoutSidebarLeftCollapse, IconSearch } from '@tabler/icons-react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Logo } from '../../kit/frame/Logo.tsx'
import { hasPart } from '../../menuView.ts'
import { useFrameTexts } from '../texts.ts'
import { MenuTree } from './MenuTree.tsx'
import { NavItem } from './NavItem.tsx'
import { Rail } from './Rail.tsx'
import css from './Sidebar.module.css'
import type { ShownMenu } from './useMenu.ts'
import { useStoredWords } from './useStoredWords.ts'

interface Props {
  menu: ShownMenu
  rail?: boolean
  setRail?: (rail: boolean) => void
}

/** Areas in the order of the specification, a pictogram before each label, pinned items on top. */
export function Sidebar({ menu, rail, setRail }: Props) {
  const words = useFrameTexts()
  const [search, setSearch] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const { words: pins, toggle } = useStoredWords('innkeeper.pins')
  useHotkeys([['/', () => field.current?.focus()]])
  const pathname = useLocation({ select: (location) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation ends the search
  useEffect(() => setSearch(''), [pathname])
  if (rail && setRail) return <Rail menu={menu} widen={() => setRail(false)} />

  const found = menu.all.filter((leaf) => hasPart(leaf, search))
  const pinned = pins.flatMap((path) => menu.all.find(({ item }) => item.path === path) ?? [])
  // if the active entry is pinned, only the pin is highlighted
  const held = pinned.some((leaf) => menu.active.includes(leaf))
  const open = (path: string | undefined) => {
    if (path) void navigate({ to: path })
  }

  return (
    <>
      <Group h="var(--ink-header)" px={14} gap={9} justify="space-between" wrap="nowrap" style={{ flex: 'none' }}>
        <Group gap={9}>
          <Logo />
          <Text fw={600} fz="md" style={{ letterSpacing: '-.01em' }}>
            Innkeeper
          </Text>
        </Group>
        {setRail && (
          <ActionIcon aria-label={words.narrow} onClick={() => setRail(true)}>
            <IconLayoutSidebarLeftCollapse size={17} />
          </ActionIcon>
        )}
      </Group>
      <TextInput
        className={css.search}
        ref={field}
        aria-label={words.searchMenu}
        placeholder={words.searchMenu}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && search) open(found[0]?.item.path)
          if (event.key !== 'Escape') return
          setSearch('')
          event.currentTarget.blur()
        }}
        leftSection={<IconSearch size={14} />}
        rightSection={
          <Kbd visibleFrom="sm" aria-hidden>
            /
          </Kbd>
        }
      />
      <ScrollArea style={{ flex: 1 }} scrollbarSize={7} viewportProps={{ tabIndex: -1 }}>
        <nav className={css.nav} aria-label={words.mainMenu}>
          {search ? (
            found.map((leaf) => <NavItem key={leaf.item.path} leaf={leaf} active={menu.active.includes(leaf)} full />)
          ) : (
            <>
              {pinned.length > 0 && (
                <>
                  <Text fz={11} c="dimmed" px={6} pb={3}>
                    {words.pinned}
                  </Text>
                  {pinned.map((leaf) => (
                    <NavItem
                      key={leaf.item.path}
                      leaf={leaf}
                      active={menu.active.includes(leaf)}
                      full
                      pin={{ pinned: true, toggle }}
                    />
                  ))}
                  <hr className={css.rule} />
                </>
              )}
              <MenuTree menu={menu} calm={held} pins={pins} toggle={toggle} />
            </>
          )}
          {search && found.length === 0 && (
            <Text c="dimmed" px={8} py={6} role="status">
              {words.noMenu}
            </Text>
          )}
        </nav>
      </ScrollArea>
    </>
  )
}
