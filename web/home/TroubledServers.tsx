import { holds } from '@innkeeper/contract/access'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../kit/access/session.ts'
import { ErrorLine } from '../kit/frame/ErrorLine.tsx'
import { Section } from '../kit/frame/Section.tsx'
import { ago } from '../kit/look/format.ts'
import { useNow } from '../kit/look/useNow.ts'
import { pathOf } from '../paths.ts'
import { serversApi } from '../servers/api.ts'
import { HomeRow } from './HomeRow.tsx'

/** Servers in status Up without current heartbeats; renders nothing if there are none. */
export function TroubledServers() {
  const user = useSession()
  const now = useNow(10_000)
  const { data, error } = useQuery({
    ...serversApi.list.query({ observed: ['stale', 'offline'], status: 'up', itemsPerPage: 20 }),
    enabled: holds(user, 'server:server:read'),
  })
  if (error)
    return (
      <Section title="Servers" pad={false}>
        <ErrorLine error={error} />
      </Section>
    )
  if (!data?.items.length) return null
  return (
    <Section title="Servers" hint="wanted up, not heard from" pad={false}>
      {data.items.map(({ id, name, type, websites, observed, lastSeenAt }) => (
        <HomeRow
          key={id}
          to={pathOf('server', id)}
          name={name}
          kind={type}
          note={websites === 1 ? '1 website lives here' : `${websites} websites live here`}
          when={lastSeenAt ? ago(lastSeenAt, now) : 'never'}
          state={observed}
        />
      ))}
    </Section>
  )
}
