import { Kbd, Menu, Text, UnstyledButton, useComputedColorScheme } from '@mantine/core'
import { IconBell, IconKeyboard, IconLogout, IconMoon, IconShieldLock, IconSun, IconUser } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { chooseTheme } from '../../access/profiles/settings/theme.ts'
import { signOut } from '../../kit/access/account.ts'
import { useSession } from '../../kit/access/session.ts'
import { Avatar } from '../../kit/look/Avatar.tsx'
import { initials } from '../../kit/look/initials.ts'
import { useAct } from '../../kit/look/useAct.ts'
import { useFrameTexts } from '../texts.ts'
import css from './Header.module.css'

export function Account({ openHelp }: { openHelp: () => void }) {
  const { id, name, username, isAdmin, profileImage } = useSession()
  const navigate = useNavigate()
  const words = useFrameTexts()
  const { run } = useAct()
  const dark = useComputedColorScheme() === 'dark'
  return (
    <Menu width={216}>
      <Menu.Target>
        <UnstyledButton className={`${css.avatar} thumb`} aria-label={`${initials(name)}, ${words.account(name)}`}>
          <Avatar name={name} image={profileImage} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text fw={500} c="var(--mantine-color-text)">
            {name}
          </Text>
          <Text c="dimmed" fz="xs">
            {username}
            {isAdmin && `, ${words.administrator}`}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/profile" leftSection={<IconUser size={15} />}>
          {words.profile}
        </Menu.Item>
        <Menu.Item component={Link} to="/notifications" leftSection={<IconBell size={15} />}>
          {words.notifications}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          closeMenuOnClick={false}
          leftSection={dark ? <IconSun size={15} /> : <IconMoon size={15} />}
          onClick={() => void run(() => chooseTheme(id, dark ? 'light' : 'dark'))}
        >
          {dark ? words.light : words.dark}
        </Menu.Item>
        <Menu.Item leftSection={<IconShieldLock size={15} />} onClick={() => void navigate({ to: '/security' })}>
          {words.security}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={15} />} rightSection={<Kbd aria-hidden>?</Kbd>} onClick={openHelp}>
          {words.keyboard}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={15} />} onClick={signOut}>
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
