import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Box, Group, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { LinkButton } from '../../kit/frame/LinkTo.tsx'
import { PageMenu } from '../../kit/frame/PageMenu.tsx'
import { words } from './trackerInfo.ts'

type Place = 'list' | 'board' | 'archive' | 'imports' | 'settings'

/** Links between the list, the board, the archive and the settings of a tracker; a menu on phones. */
export function TrackerLinks({ tracker, here }: { tracker: Tracker; here: Place }) {
  const navigate = useNavigate()
  const { list, base } = words[tracker]
  const places: [Place | 'release-note', string, string][] = [
    ['list', 'List', list],
    ['board', 'Board', `${base}/board`],
    ['archive', tracker === 'ticket' ? 'Completed' : 'Archive', `${base}/archive`],
    ...(tracker === 'feature'
      ? [['release-note', 'Release note', `${base}/release-note`] as [Place | 'release-note', string, string]]
      : []),
    ['imports', 'Imports', `${base}/imports`],
    ['settings', 'Settings', `${base}/settings`],
  ]
  const others = places.filter(([place]) => place !== here)
  return (
    <>
      <Group gap={8} wrap="nowrap" visibleFrom="sm">
        {others.map(([place, title, to]) => (
          <LinkButton key={place} to={to} variant="default">
            {title}
          </LinkButton>
        ))}
      </Group>
      <Box hiddenFrom="sm">
        <PageMenu label="Board, archive and settings">
          {others.map(([place, title, to]) => (
            <Menu.Item key={place} onClick={() => void navigate({ to })}>
              {title}
            </Menu.Item>
          ))}
        </PageMenu>
      </Box>
    </>
  )
}
