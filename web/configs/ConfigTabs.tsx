import { holds } from '@innkeeper/contract/access'
import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useSession } from '../kit/access/session.ts'

const tabs = [
  { path: '/backups/config-resets', title: 'Versions', scope: 'config-restore:configs:read' },
  { path: '/backups/config-reset-action-logs', title: 'Resets', scope: 'config-restore:logs:read' },
  { path: '/backups/config-collection-logs', title: 'Collections', scope: 'backup:logs:read' },
] as const

/** The three lists of configurations; those that the person may see. */
export function ConfigTabs({ at }: { at: (typeof tabs)[number]['path'] }) {
  const navigate = useNavigate()
  const user = useSession()
  return (
    <Tabs value={at} onChange={(to) => to && void navigate({ to })}>
      <Tabs.List style={{ flexWrap: 'nowrap' }}>
        {tabs
          .filter(({ scope }) => holds(user, scope))
          .map(({ path, title }) => (
            <Tabs.Tab key={path} value={path}>
              {title}
            </Tabs.Tab>
          ))}
      </Tabs.List>
    </Tabs>
  )
}
