import { holds } from '@innkeeper/contract/kit/access'
import { useNavigate } from '@tanstack/react-router'
import { useSession } from '../../kit/access/session.ts'
import { PageTabs } from '../../kit/frame/PageTabs.tsx'

const tabs = [
  { path: '/backups/config-resets', title: 'Versions', scope: 'config-restore:configs:read' },
  { path: '/backups/config-reset-action-logs', title: 'Resets', scope: 'config-restore:logs:read' },
  { path: '/backups/config-collection-logs', title: 'Collections', scope: 'backup:logs:read' },
] as const

/** The three lists of configurations; those that the person may see. */
export function ConfigTabs({ at }: { at: (typeof tabs)[number]['path'] }) {
  const navigate = useNavigate()
  const user = useSession()
  const seen = tabs.filter(({ scope }) => holds(user, scope)).map(({ path, title }) => [path, title])
  return <PageTabs of={Object.fromEntries(seen)} at={at} show={(to) => to && void navigate({ to })} />
}
