import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { kitWords } from '../look/texts.ts'
import { useSearchOpened } from './search.ts'

interface Props {
  /** A section gives a label of its own. */
  label?: string
  children: ReactNode
}

/**
 * Menu beside the title of a page or section, with the items of the row's menu. The search offers the items of the page's
 * own menu, too, which are there while it is open; React would draw hidden ones too late.
 */
export function PageMenu({ label, children }: Props) {
  const isPage = label === undefined
  const keepMounted = useSearchOpened() && isPage
  return (
    <Menu width={212} position="bottom-end" keepMounted={keepMounted} keepMountedMode="display-none">
      <Menu.Target>
        <ActionIcon variant="default" size="var(--ink-control)" aria-label={label ?? kitWords().moreActions}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown data-page-menu={isPage || undefined}>{children}</Menu.Dropdown>
    </Menu>
  )
}
