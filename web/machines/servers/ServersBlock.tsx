import { useQuery } from '@tanstack/react-query'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Block } from '../../kit/home/Block.tsx'
import { BlockRow } from '../../kit/home/BlockRow.tsx'
import { ago } from '../../kit/look/format.ts'
import { useNow } from '../../kit/look/useNow.ts'
import { pathOf } from '../../paths.ts'
import { serversApi } from './api.ts'

const SHOWN = 20

/** Servers in status Up without current heartbeats, and how many servers are well. */
export default function ServersBlock() {
  const now = useNow(10_000)
  const { data, error } = useQuery(
    serversApi.list.query({ observed: ['stale', 'offline', 'unknown'], status: 'up', itemsPerPage: SHOWN }),
  )
  const up = useQuery(serversApi.list.query({ status: 'up', itemsPerPage: 1 })).data?.total
  const silent = data?.total ?? 0
  return (
    <Block
      hint={up !== undefined && data && (silent ? `${silent} of ${up} are silent` : `all ${up} send heartbeats`)}
      all={
        <LinkTo to="/server" fz="xs">
          All servers
        </LinkTo>
      }
      error={error}
      rows={data?.items.map(({ id, name, type, websites, observed, lastSeenAt }) => (
        <BlockRow
          key={id}
          to={pathOf('server', id)}
          name={name}
          kind={type}
          note={websites === 1 ? '1 website lives here' : `${websites} websites live here`}
          when={lastSeenAt ? ago(lastSeenAt, now) : 'never'}
          state={observed}
        />
      ))}
      empty="Every server in status Up sends heartbeats."
    />
  )
}
