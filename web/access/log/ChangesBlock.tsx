import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../kit/access/session.ts'
import { ownStore } from '../../kit/frame/browserStore.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Block } from '../../kit/home/Block.tsx'
import { BlockRow } from '../../kit/home/BlockRow.tsx'
import { ago, moment } from '../../kit/look/format.ts'
import { useNow } from '../../kit/look/useNow.ts'
import { logApi } from './api.ts'
import { lastVisit } from './lastVisit.ts'
import { actOf, objectOf } from './words.ts'

const SHOWN = 30

/** What others changed since this person's last visit with this browser. */
export default function ChangesBlock() {
  const now = useNow(60_000)
  const { id } = useSession()
  const [since] = useState(() => lastVisit(ownStore('visits'), new Date()))
  const { data, error } = useQuery(logApi.list.query({ start_time: since.toISOString(), itemsPerPage: SHOWN }))
  const rows = data?.items.filter(({ staffId }) => staffId !== id)
  return (
    <Block
      hint={moment(since.toISOString())}
      all={
        <LinkTo to="/action-logs" fz="xs">
          Action logs
        </LinkTo>
      }
      error={error}
      rows={rows?.map((row) => (
        <BlockRow
          key={row.id}
          to={`/action-logs/${row.id}`}
          plain
          name={actOf(row)}
          kind={row.staffName ?? ''}
          note={objectOf(row) ?? ''}
          when={ago(row.time, now)}
          state={row.result}
        />
      ))}
      empty="Nobody else changed anything."
    />
  )
}
