import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** "More actions" beside a page's title; the items are those of the row's menu. */
export const PageMenu = ({ children }: { children: ReactNode }) => (
  <Menu width={212} position="bottom-end">
    <Menu.Target>
      <ActionIcon variant="default" size="var(--ink-control)" aria-label="More actions">
        <IconDots size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
)
