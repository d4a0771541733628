import { views } from '@innkeeper/contract/access/views'
import { type Access, missing } from '@innkeeper/contract/kit/access'
import { Button, Text, VisuallyHidden } from '@mantine/core'
import { type UseQueryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usersApi } from '../access/users/api.ts'
import { websitesApi } from '../hosting/websites/api.ts'
import { useSession } from '../kit/access/session.ts'
import { attempt } from '../kit/api/attempt.ts'
import { bind } from '../kit/api/client.ts'
import { Section } from '../kit/frame/Section.tsx'
import { Glyph } from '../kit/look/Glyph.tsx'
import { serversApi } from '../machines/servers/api.ts'
import { qcSourcesApi } from '../quality/qc/api.ts'
import css from './FirstSteps.module.css'
import { homeTexts } from './texts.ts'

const viewsApi = bind('views', views)
/** That a person hid the steps is kept as a saved view, so that every device of the person knows it. */
const hidden = { list: 'home', name: 'first-steps' }

interface Step {
  name: 'addServer' | 'createWebsite' | 'invite' | 'helpDesk'
  to: string
  needs: Access
  /** Asks whether the step is done. */
  done: UseQueryOptions<unknown, Error, boolean>
}
interface Queried<D> {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal }) => Promise<D>
}
// the data are of the call's type, which a list of different queries cannot name
const seen = <D,>(query: Queried<D>, select: (data: D) => boolean) => ({ ...query, select }) as Step['done']
const first = { itemsPerPage: 2 }

const steps: readonly Step[] = [
  {
    name: 'addServer',
    to: '/server/create',
    needs: ['server:server:create', 'server:server:read'],
    done: seen(serversApi.list.query(first), ({ items }) => items.length > 0),
  },
  {
    name: 'createWebsite',
    to: '/websites/create',
    needs: ['website:website:create', 'website:website:read'],
    done: seen(websitesApi.list.query(first), ({ Websites }) => Websites.length > 0),
  },
  {
    name: 'invite',
    to: '/users/create',
    needs: ['users:user:create', 'users:user:read'],
    done: seen(usersApi.list.query(first), ({ items }) => items.length > 1),
  },
  {
    name: 'helpDesk',
    to: '/qc-settings-v2/sources',
    needs: 'qa:manager:access',
    done: seen(qcSourcesApi.sources.query(), ({ items }) => items.length > 0),
  },
]

/** Leads through a fresh installation, for people who may take at least two of the steps, until all are done or hidden. */
export function FirstSteps() {
  const user = useSession()
  const mine = steps.filter(({ needs }) => !missing(user, needs).length)
  const { data } = useQuery({ ...viewsApi.list.query({ list: hidden.list }), enabled: mine.length > 1 })
  if (!data || data.items.some(({ name }) => name === hidden.name)) return null
  return <Steps steps={mine} />
}

function Steps({ steps }: { steps: Step[] }) {
  const words = homeTexts()
  const found = useQueries({ queries: steps.map(({ done }) => done) })
  const undone = found.filter(({ data }) => data === false).length
  // what was not heard of yet is not shown as open
  if (found.some(({ data }) => data === undefined) || undone === 0) return null
  const hide = () => attempt(() => viewsApi.save({ ...hidden, filters: {} }), ['views'])
  return (
    <Section
      title={words.firstSteps}
      hint={words.doneOf(steps.length - undone, steps.length)}
      aside={
        <Button variant="subtle" size="compact-xs" onClick={() => void hide()}>
          {words.hide}
        </Button>
      }
      pad={false}
    >
      <ol className={css.steps}>
        {steps.map(({ name, to }, at) => {
          const done = found[at]?.data === true
          return (
            <li key={name}>
              <Link to={to} className={css.step} data-done={done || undefined}>
                <Glyph shape={done ? 'check' : 'ring'} colour={done ? 'success' : 'secondary'} />
                <span>
                  <Text span fw={500} display="block">
                    {words[name]}
                    {done && <VisuallyHidden>{words.isDone}</VisuallyHidden>}
                  </Text>
                  <Text span c="dimmed" fz="xs">
                    {words[`${name}Text` as const]}
                  </Text>
                </span>
              </Link>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
