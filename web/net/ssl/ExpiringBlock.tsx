import { useQuery } from '@tanstack/react-query'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Block } from '../../kit/home/Block.tsx'
import { BlockRow } from '../../kit/home/BlockRow.tsx'
import { longDay } from '../../kit/look/format.ts'
import { sslApi } from './api.ts'

const SHOWN = 20
const DAYS = 21

/** Certificates in use that expire soon, the next first. */
export default function ExpiringBlock() {
  const { data, error } = useQuery(
    sslApi.list.query({ within: DAYS, used: 'true', sort: 'notAfter', direction: 'ASC', itemsPerPage: SHOWN }),
  )
  return (
    <Block
      hint={`within ${DAYS} days`}
      all={
        <LinkTo to="/ssl" fz="xs">
          All certificates
        </LinkTo>
      }
      error={error}
      rows={data?.items.map(({ id, domain, notAfter, renewAt, reason, status, kind }) => (
        <BlockRow
          key={id}
          to={`/ssl/${id}`}
          name={domain}
          kind={kind}
          note={reason ?? renewalNote(renewAt)}
          when={notAfter ? longDay(notAfter) : ''}
          state={status}
        />
      ))}
      empty={`No certificate in use expires within ${DAYS} days.`}
    />
  )
}

/** A renewal that is due is tried already: its day has passed, and says nothing. */
function renewalNote(renewAt: string | null): string {
  if (!renewAt) return 'No automatic renewal'
  return Date.parse(renewAt) <= Date.now() ? 'Renewal is overdue' : `Renewal on ${longDay(renewAt)}`
}
