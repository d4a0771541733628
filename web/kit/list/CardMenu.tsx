import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** What can be done with a row on a phone, where it has no page of its own to do it on. */
export const CardMenu = ({ name, children }: { name: string; children: ReactNode }) => (
  <Menu width={204} position="bottom-end">
    <Menu.Target>
      <ActionIcon size={40} variant="subtle" color="secondary" aria-label={`Actions for ${name}`}>
        <IconDots size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
)
