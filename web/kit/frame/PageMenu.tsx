import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** Menu beside the title of a page or section, with the items of the row's menu. A section gives a label of its own. */
export const PageMenu = ({ label = 'More actions', children }: { label?: string; children: ReactNode }) => (
  <Menu width={212} position="bottom-end">
    <Menu.Target>
      <ActionIcon variant="default" size="var(--ink-control)" aria-label={label}>
        <IconDots size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
)
