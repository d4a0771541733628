import { useQuery } from '@tanstack/react-query'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Block } from '../../kit/home/Block.tsx'
import { BlockRow } from '../../kit/home/BlockRow.tsx'
import { count, lasting } from '../../kit/look/format.ts'
import { useNow } from '../../kit/look/useNow.ts'
import { pathOf } from '../../paths.ts'
import { websitesApi } from '../websites/api.ts'

const SHOWN = 20

/** Websites that did not answer another machine, and for how long. */
export default function DownBlock() {
  const now = useNow(10_000)
  const { data, error } = useQuery(websitesApi.list.query({ health: ['down'], itemsPerPage: SHOWN }))
  const up = useQuery(websitesApi.list.query({ health: ['up'], itemsPerPage: 1 })).data?.total
  const down = data?.total ?? 0
  return (
    <Block
      hint={data && up !== undefined && summaryOf(up, down)}
      all={
        <LinkTo to="/websites" search={{ health: 'down' }} fz="xs">
          All that are down
        </LinkTo>
      }
      error={error}
      rows={data?.Websites.map(({ id, domain, serverName, health }) => (
        <BlockRow
          key={id}
          to={pathOf('website', id)}
          name={domain}
          kind={serverName}
          note={health?.reason ?? ''}
          when={health ? lasting(now.getTime() - Date.parse(health.since)) : ''}
          state="down"
        />
      ))}
      empty={up === 0 ? 'No website has been requested yet.' : 'Every website that is watched answers.'}
    />
  )
}

function summaryOf(up: number, down: number): string {
  if (down) return `${down} ${down === 1 ? 'is' : 'are'} down`
  return up ? `${count(up)} answer` : 'none requested yet'
}
