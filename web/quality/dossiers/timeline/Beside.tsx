import type { DossierUser } from '@innkeeper/contract/quality/dossiers/shapes'
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { useSession } from '../../../kit/access/session.ts'
import { dayText } from '../../../kit/calendar/days.ts'
import { LineChart } from '../../../kit/charts/LineChart.tsx'
import { writeDay } from '../../../kit/form/dates.ts'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { SkeletonLines } from '../../../kit/frame/Skeletons.tsx'
import { leavesApi } from '../../../planning/leaves/api.ts'
import { rangeWords } from '../../../planning/leaves/words.ts'
import { shiftsApi } from '../../../planning/shifts/api.ts'
import { timelineApi } from '../api.ts'
import { MembershipsOf } from '../memberships/MembershipsOf.tsx'

/** Facts, trend, shifts and leave of a person, as far as the reader may see them. */
const Beside = ({ dossier }: { dossier: DossierUser }) => (
  <Stack gap={16}>
    <Section title="About">
      <Facts
        of={[
          ['Manager', dossier.manager?.name ?? 'none'],
          ['Department', dossier.departmentName ?? 'none'],
          ['Started', dossier.startedOn ? writeDay(dossier.startedOn) : 'unknown'],
        ]}
        width={96}
      />
      {dossier.about && (
        <Text dir="auto" mt={8}>
          {dossier.about}
        </Text>
      )}
    </Section>
    <Trend id={dossier.id} />
    <MembershipsOf userId={dossier.id} name={dossier.name} />
    <Shifts id={dossier.id} />
    <Leaves id={dossier.id} />
  </Stack>
)
export default Beside

/** A block that waits for its rows, or cannot have them, says so. */
function Waits({ query: { isPending, error } }: { query: { isPending: boolean; error: Error | null } }) {
  if (error) return <ErrorLine error={error} />
  return isPending ? <SkeletonLines /> : null
}

function Trend({ id }: { id: number }) {
  const { data, isPending } = useQuery(timelineApi.trend.query({ id }))
  if (isPending) return <SkeletonLines />
  const months = data?.months ?? []
  const reviews = months.reduce((sum, month) => sum + month.reviews, 0)
  if (!reviews) return null
  return (
    <Section title="Reviews" hint={`${reviews} in twelve months`}>
      <LineChart
        title="Mean review score"
        data={{
          labels: months.map(({ month }) => dayText(`${month}-01`, 'month')),
          series: [{ name: 'Score', values: months.map(({ score }) => score) }],
        }}
        axis={{ min: 0, max: 100 }}
      />
    </Section>
  )
}

function Shifts({ id }: { id: number }) {
  const me = useSession()
  const reason = useReason()(shiftsApi.ofUser)
  const mayRead = id === me.id || !reason
  const found = useQuery({ ...shiftsApi.ofUser.query({ id }), enabled: mayRead })
  if (!mayRead) return null
  return (
    <Section title="Shifts" hint="next 31 days">
      <Waits query={found} />
      {found.data?.items.slice(0, 8).map(({ id: shift, date, name, startTime, endTime }) => (
        <Group key={shift} justify="space-between" wrap="nowrap" py={3}>
          <Text className="num">{`${dayText(date, 'weekday')} ${dayText(date, 'short')}`}</Text>
          <Text c="dimmed" truncate>
            {name}, {startTime}–{endTime}
          </Text>
        </Group>
      ))}
      {found.data?.items.length === 0 && <Text c="dimmed">No shift is planned.</Text>}
    </Section>
  )
}

function Leaves({ id }: { id: number }) {
  const me = useSession()
  const reason = useReason()(leavesApi.upcomingOf)
  const mayRead = id === me.id || !reason
  const found = useQuery({ ...leavesApi.upcomingOf.query({ id, itemsPerPage: 8 }), enabled: mayRead })
  if (!mayRead) return null
  return (
    <Section title="Leave">
      <Waits query={found} />
      {found.data?.items.map((leave) => (
        <Group key={leave.id} justify="space-between" wrap="nowrap">
          <Text>{rangeWords(leave)}</Text>
          <Text c="dimmed" truncate>
            {leave.typeName}
          </Text>
        </Group>
      ))}
      {found.data?.items.length === 0 && <Text c="dimmed">No leave is planned.</Text>}
    </Section>
  )
}
