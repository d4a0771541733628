import { isSlow } from '@innkeeper/contract/machines/servers/load'
import type { ServerView } from '@innkeeper/contract/machines/servers/shapes'
import { IconPackages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { numbered } from '../../kit/frame/numbered.tsx'
import { PageMenu } from '../../kit/frame/PageMenu.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Split } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { useLastWorkflow } from '../workflows/useLastWorkflow.ts'
import { WorkflowPane } from '../workflows/WorkflowPane.tsx'
import { provision } from './acts.ts'
import { serversApi } from './api.ts'
import { EnrolSection } from './enrolment/EnrolSection.tsx'
import { Figures } from './load/Figures.tsx'
import { LoadSection } from './load/LoadSection.tsx'
import { ServerActs } from './ServerActs.tsx'
import { OtherAgent, Silent, Slow } from './ServerAlerts.tsx'
import { ServerMeta } from './ServerMeta.tsx'
import { ServicesFound } from './ServicesFound.tsx'
import { sections } from './sections.ts'

/** Interval of refetching in milliseconds, because heartbeats send no hints. */
const FRESH = 5000

export default numbered('server', ServerScreen)

function ServerScreen({ id }: { id: number }) {
  // no polling after a failed read, which would hide the error
  const refetchInterval = ({ state }: { state: { data: unknown } }) => state.data !== undefined && FRESH
  const query = useQuery({ ...serversApi.view.query({ id }), refetchInterval })
  const server = query.data
  const navigate = useNavigate()
  const lacking = useReason()
  return (
    <Screen
      query={query}
      title={server?.name ?? 'Server'}
      mono={server !== undefined}
      badge={server && <StatusBadge pill state={server.status === 'down' ? 'down' : server.observed} />}
      meta={server && <ServerMeta server={server} />}
      actions={
        server && (
          <>
            <ActButton
              visibleFrom="sm"
              variant="default"
              leftSection={<IconPackages size={15} />}
              reason={lacking(serversApi.provision) ?? (server.enrolledAt ? undefined : 'No agent has connected yet.')}
              onClick={() => void provision(server)}
            >
              Provision now
            </ActButton>
            <PageMenu>
              <ServerActs server={server} onRemoved={() => void navigate({ to: '/server' })} />
            </PageMenu>
          </>
        )
      }
    >
      {server && <Body server={server} />}
    </Screen>
  )
}

function Body({ server }: { server: ServerView }) {
  const workflow = useLastWorkflow('server', server.id)
  return (
    <div style={{ display: 'grid', gap: 16, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {server.enrolledAt && server.observed !== 'online' && <Silent server={server} />}
      {server.observed === 'online' && server.load && isSlow(server.load) && (
        <Slow name={server.name} load={server.load} />
      )}
      {server.agentSkew && <OtherAgent server={server} />}
      <Figures server={server} />
      <LoadSection server={server} />
      <Split
        side={
          // together: the enrolment would move down when the workflow comes
          workflow !== undefined && (
            <>
              {workflow && <WorkflowPane workflow={workflow} />}
              <EnrolSection server={server} />
            </>
          )
        }
      >
        <ServicesFound server={server} />
        {sections.map(({ name, Section }) => (
          <Section key={name} server={server} />
        ))}
      </Split>
    </div>
  )
}
