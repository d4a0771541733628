import { useQuery } from '@tanstack/react-query'
import { useSession } from '../kit/access/session.ts'
import { ErrorLine } from '../kit/frame/ErrorLine.tsx'
import { LinkTo } from '../kit/frame/LinkTo.tsx'
import { Section } from '../kit/frame/Section.tsx'
import { leavesApi } from '../leaves/api.ts'
import { daysWords, partWords, rangeWords } from '../leaves/words.ts'
import { HomeRow } from './HomeRow.tsx'

/** The next approved leave, if any. */
export function NextLeave() {
  const { id } = useSession()
  const { data, error } = useQuery(leavesApi.upcomingOf.query({ id, itemsPerPage: 1 }))
  if (error && !data)
    return (
      <Section title="Next leave" pad={false}>
        <ErrorLine error={error} />
      </Section>
    )
  const [leave] = data?.items ?? []
  if (!leave) return null
  return (
    <Section
      title="Next leave"
      pad={false}
      aside={
        <LinkTo to="/leaves/my" fz="xs">
          My leaves
        </LinkTo>
      }
    >
      <HomeRow
        to={`/leaves/my?leave=${leave.id}`}
        plain
        name={rangeWords(leave)}
        kind={leave.typeName}
        note={partWords(leave)}
        when={daysWords(leave.days)}
        state={leave.status}
      />
    </Section>
  )
}
