import type { LogRow } from '@innkeeper/contract/access/log'
import { Alert, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Dot } from '../../kit/frame/PageHeader.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Facts, Section, Split } from '../../kit/frame/Section.tsx'
import { moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { pathOf } from '../../paths.ts'
import { logApi } from './api.ts'
import { Changes } from './Changes.tsx'
import { changesOf } from './changes.ts'
import { actOf, objectOf } from './words.ts'

/** One row of the action log: values before and after, person and address. */
export default function LogRowScreen() {
  const { id } = useParams({ strict: false })
  const query = useQuery(logApi.one.query({ id: Number(id) }))
  const row = query.data
  return (
    <Screen
      query={query}
      title={row && actOf(row)}
      badge={row && <StatusBadge pill state={row.result} />}
      meta={
        row && (
          <>
            <Text>{row.staffName}</Text>
            <Dot />
            <Text className="num">{moment(row.time)}</Text>
          </>
        )
      }
    >
      {row && (
        <Split sideLast side={<About row={row} />}>
          <What row={row} />
        </Split>
      )}
    </Screen>
  )
}

function What({ row: { before, after, result } }: { row: LogRow }) {
  const reason = errorOf(after)
  if (result !== 'success')
    return (
      <Alert
        color={result === 'denied' ? 'warning' : 'error'}
        p="10px 14px"
        title={result === 'denied' ? 'The act was not allowed' : 'The act failed'}
      >
        <Text style={{ overflowWrap: 'anywhere' }}>
          {reason ?? 'The person did not have the permission.'} Nothing was changed.
        </Text>
      </Alert>
    )
  const changes = changesOf(before, after)
  return (
    <Section title="What changed" hint={changes.length ? undefined : 'no stored field'} pad={changes.length === 0}>
      {changes.length ? (
        <Changes before={before} after={after} />
      ) : (
        <Text c="dimmed">The act changed no field of the object.</Text>
      )}
    </Section>
  )
}

const errorOf = (after: unknown): string | undefined =>
  typeof after === 'object' && after !== null && 'error' in after
    ? [after.error].flat().map(String).join(' ')
    : undefined

function About({ row }: { row: LogRow }) {
  const { id, resource, resourceId, staffId, workflowId, ip, requestId, seal, service } = row
  const number = Number(resourceId)
  const path =
    resource && Number.isInteger(number) && number > 0 ? pathOf(resource, number, row.subject ?? '') : undefined
  return (
    <Stack gap={16}>
      <Section title="About the action">
        <Facts
          width={92}
          of={[
            ['Done to', <Done key="object" row={row} path={path} />],
            [
              'By',
              staffId ? (
                <Filtered key="by" text={row.staffName} filters={{ agents: String(staffId) }} />
              ) : (
                row.staffName
              ),
            ],
            ['From', ip ? <Filtered key="ip" mono text={ip} filters={{ ip }} /> : '–'],
            ['Service', <Filtered key="service" text={service} filters={{ service_ids: service }} />],
            ['Request', <Mono key="request">{requestId ?? '–'}</Mono>],
            ['Row', <Mono key="row">{id}</Mono>],
            ['Seal', seal === null ? 'not sealed yet, which takes a second' : <Mono key="seal">{seal}</Mono>],
          ]}
        />
      </Section>
      {(workflowId !== null || (resource && resourceId)) && (
        <Section title="Related">
          <Stack gap={6}>
            {workflowId !== null && (
              <>
                {path && (
                  <LinkTo to={path} search={{ tab: 'workflows', workflow: String(workflowId) }}>
                    The workflow that it started
                  </LinkTo>
                )}
                <Filtered text={`All rows of workflow ${workflowId}`} filters={{ workflow: String(workflowId) }} />
              </>
            )}
            {resource && resourceId && (
              <Filtered
                text={`All that was done to this ${resource}`}
                filters={{ resources: resource, resource_id: resourceId }}
              />
            )}
          </Stack>
        </Section>
      )}
    </Stack>
  )
}

function Done({ row, path }: { row: LogRow; path?: string }) {
  const object = objectOf(row)
  if (!object) return '–'
  return path ? <LinkTo to={path}>{object}</LinkTo> : <Mono>{object}</Mono>
}

const Filtered = ({ text, filters, mono }: { text: string; filters: Record<string, string>; mono?: boolean }) => (
  <LinkTo to="/action-logs" search={filters}>
    {mono ? <Mono>{text}</Mono> : text}
  </LinkTo>
)
