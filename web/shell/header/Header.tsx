import { ActionIcon, Burger, Group, Kbd, Text, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Bell } from '../../access/notifications/Bell.tsx'
import { openSearch } from '../../kit/frame/search.ts'
import type { ShownMenu } from '../menu/useMenu.ts'
import { useFrameTexts } from '../texts.ts'
import { Account } from './Account.tsx'
import { Crumbs } from './Crumbs.tsx'
import css from './Header.module.css'
import { LiveSign } from './LiveSign.tsx'
import { Tasks } from './Tasks.tsx'

interface Props {
  menu: ShownMenu
  drawer: boolean
  toggleDrawer: () => void
  openHelp: () => void
}

export function Header({ menu, drawer, toggleDrawer, openHelp }: Props) {
  const words = useFrameTexts()
  return (
    <Group h="100%" px={{ base: 10, sm: 'var(--ink-gutter)' }} gap={6} justify="space-between" wrap="nowrap">
      <Group gap={8} wrap="nowrap" miw={0} style={{ flex: 1 }}>
        <Burger
          opened={drawer}
          onClick={toggleDrawer}
          hiddenFrom="sm"
          size={18}
          aria-label={drawer ? words.closeMenu : words.openMenu}
        />
        <Crumbs menu={menu} />
      </Group>
      <UnstyledButton visibleFrom="sm" className={css.search} onClick={openSearch}>
        <IconSearch size={14} />
        <Text span inherit style={{ flex: 1 }}>
          {words.search}
        </Text>
        <Kbd aria-hidden>Ctrl K</Kbd>
      </UnstyledButton>
      <ActionIcon hiddenFrom="sm" size={36} aria-label={words.searchShort} onClick={openSearch}>
        <IconSearch size={18} />
      </ActionIcon>
      <LiveSign />
      <Tasks />
      <Bell />
      <Account openHelp={openHelp} />
    </Group>
  )
}
