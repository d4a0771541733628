import { Box, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ActButton } from '../look/ActButton.tsx'
import { MenuAction } from '../look/MenuAction.tsx'
import { LinkButton } from './LinkTo.tsx'
import { PageMenu } from './PageMenu.tsx'

export interface HeadLink {
  title: string
  to: string
  /** Why the page cannot be opened. The link stays, disabled with this reason. */
  reason?: string | undefined
}

/** Links to the pages that belong to this one, beside its title: buttons, and one menu on phones. `label` names the menu. */
export function HeadLinks({ label, links }: { label: string; links: readonly HeadLink[] }) {
  const navigate = useNavigate()
  return (
    <>
      <Group gap={8} wrap="nowrap" visibleFrom="sm">
        {links.map(({ title, to, reason }) =>
          reason ? (
            <ActButton key={to} variant="default" reason={reason}>
              {title}
            </ActButton>
          ) : (
            <LinkButton key={to} to={to} variant="default">
              {title}
            </LinkButton>
          ),
        )}
      </Group>
      <Box hiddenFrom="sm">
        <PageMenu label={label}>
          {links.map(({ title, to, reason }) => (
            <MenuAction key={to} label={title} reason={reason} onClick={() => void navigate({ to })} />
          ))}
        </PageMenu>
      </Box>
    </>
  )
}
