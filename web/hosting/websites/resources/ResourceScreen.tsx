import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import NotFound from '../../../kit/frame/NotFound.tsx'
import { toId } from '../../../kit/frame/numbered.tsx'
import { Dot } from '../../../kit/frame/PageHeader.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Facts, Section, Split } from '../../../kit/frame/Section.tsx'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { ActionList } from '../../../kit/workflow/ActionList.tsx'
import { workflowsApi } from '../../../machines/workflows/api.ts'
import { TimelineSection } from '../../../machines/workflows/TimelineSection.tsx'
import { useWorkflow } from '../../../machines/workflows/useLastWorkflow.ts'
import { orchestratorApi, websitesApi } from '../api.ts'
import { DoneAction } from './DoneAction.tsx'

export default function ResourceScreen() {
  const { websiteId, resourceType, resourceId } = useParams({ strict: false })
  const id = toId(websiteId)
  const resource = toId(resourceId)
  return id && resource && resourceType ? <Shown id={id} type={resourceType} resource={resource} /> : <NotFound />
}

function Shown(input: { id: number; type: string; resource: number }) {
  const query = useQuery(orchestratorApi.resource.query(input))
  const lacks = useReason()(websitesApi.updateAction)
  const resource = query.data
  const workflow = useWorkflow(resource?.workflowId ?? undefined)
  return (
    <Screen
      query={query}
      title={resource?.name ?? 'Resource'}
      mono={resource !== undefined}
      badge={resource && <StatusBadge pill state={resource.status} />}
      meta={
        resource && (
          <>
            <Text>{resource.title}</Text>
            <Dot />
            <LinkTo to="/websites/$id" params={{ id: String(resource.websiteId) }}>
              <Mono>{resource.domain}</Mono>
            </LinkTo>
            {resource.serverId !== null && (
              <>
                <Dot />
                <LinkTo to="/server/$server" params={{ server: String(resource.serverId) }}>
                  <Mono>{resource.serverName}</Mono>
                </LinkTo>
              </>
            )}
          </>
        )
      }
    >
      {resource && (
        <Split
          side={
            <Section title="What was done" hint="newest first" pad={false}>
              <ActionList
                actions={resource.actions}
                lines={({ id: actionId, attempt, workflowId }) =>
                  workflowsApi.output.query({ id: workflowId, actionId, attempt: attempt || undefined })
                }
                onAct={(action, actionType, reason) =>
                  attempt(
                    () =>
                      websitesApi.updateAction({
                        id: resource.websiteId,
                        resource: resource.resourceType,
                        action: String(action.id),
                        actionType,
                        reason: reason || undefined,
                      }),
                    ['workflows', 'websites'],
                  )
                }
                reason={lacks}
              />
            </Section>
          }
        >
          <Section title="Resource">
            <Facts
              of={[
                ['Kind', resource.title],
                ['What it is', resource.detail || '–'],
                ['Holds up', resource.blocks.join(', ') || 'Nothing'],
              ]}
            />
          </Section>
          {resource.actions.map((action) => (
            <DoneAction key={action.id} action={action} />
          ))}
          {/* last: it may arrive later than the rest */}
          {workflow && (
            <TimelineSection workflow={workflow} of={(one) => resource.actions.some(({ id }) => id === one)} />
          )}
        </Split>
      )}
    </Screen>
  )
}
