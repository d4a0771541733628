import { missing } from '@innkeeper/contract/kit/access'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '../kit/access/session.ts'
import { Section } from '../kit/frame/Section.tsx'
import type { HomeWait, Waiting } from '../kit/home/wait.ts'
import { stated } from '../stated.ts'
import css from './WaitingPanel.module.css'

/** Every kind of work that may wait, in its order. */
const allWaits = () =>
  stated()
    .flatMap((domain) => domain.waits ?? [])
    .sort((one, other) => one.at - other.at)

/** What waits for this person: a count of each kind, which leads to it. Each kind keeps its place, so nothing moves. */
export function WaitingPanel() {
  const user = useSession()
  const mine = allWaits().filter(({ reads }) => !missing(user, reads).length)
  return (
    <Section title="Waiting for you" pad={false}>
      <div className={css.tiles}>
        {mine.map((kind) => (
          <Tile key={kind.name} kind={kind} />
        ))}
      </div>
    </Section>
  )
}

function Tile({ kind: { name, noun, to, urgent, load } }: { kind: HomeWait }) {
  const code = useQuery({
    queryKey: ['home-waits', name],
    queryFn: async () => (await load()).default,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const query = code.data
  if (!query) return <Shown noun={noun} to={to} text={code.error ? '?' : '–'} title={code.error?.message} />
  return <Asked query={query} noun={noun} to={to} urgent={urgent} />
}

type AskedProps = Pick<HomeWait, 'noun' | 'to'> & {
  query: Awaited<ReturnType<HomeWait['load']>>['default']
  urgent: true | undefined
}
function Asked({ query, noun, to, urgent }: AskedProps) {
  const { data, error } = useQuery(query)
  // a count that could not be read is not shown as none
  if (!data) return <Shown noun={noun} to={to} text={error ? '?' : '–'} title={error?.message} />
  return (
    <Shown noun={noun} to={data.to ?? to} text={data.count.toLocaleString('en')} count={data.count} urgent={urgent} />
  )
}

interface ShownProps extends Pick<HomeWait, 'noun' | 'to'>, Partial<Pick<Waiting, 'count'>> {
  text: string
  title?: string | undefined
  urgent?: true | undefined
}
const Shown = ({ noun: [one, many], to, text, count = 0, title, urgent }: ShownProps) => (
  <Link to={to} className={css.tile} title={title} data-waits={count > 0 || undefined} data-urgent={urgent}>
    <span className={`num ${css.count}`}>{text}</span>
    <Text span c="dimmed" truncate>
      {count === 1 ? one : many}
    </Text>
  </Link>
)
