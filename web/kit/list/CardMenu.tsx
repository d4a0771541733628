import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { kitWords } from '../look/texts.ts'

/** The menu of a row on a phone, for rows without a page of their own. */
export const CardMenu = ({ name, children }: { name: string; children: ReactNode }) => (
  <Menu width={204} position="bottom-end">
    <Menu.Target>
      <ActionIcon size={40} variant="subtle" color="secondary" aria-label={kitWords().actionsFor(name)}>
        <IconDots size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
)
