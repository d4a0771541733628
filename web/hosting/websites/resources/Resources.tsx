import type { Resource, Website } from '@innkeeper/contract/hosting/websites'
import { Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Reading } from '../../../kit/frame/Reading.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { orchestratorApi } from '../api.ts'
import css from './Resources.module.css'

/** Resources of a website on its server. Each line links to the actions on that resource. */
export function Resources({ website }: { website: Website }) {
  const { data, error } = useQuery(orchestratorApi.orchestrator.query({ id: website.id }))
  const empty = error?.message ?? (data ? 'The website has nothing on a machine yet.' : undefined)
  return (
    <Section title="Resources" hint="what is on the machines" pad={false}>
      <div className={css.rows}>
        {data?.items.map((resource) => (
          <Row key={`${resource.resourceType} ${resource.resourceId}`} resource={resource} />
        ))}
      </div>
      {!data?.items.length && (
        <Text c="dimmed" p={14}>
          {empty ?? <Reading />}
        </Text>
      )}
    </Section>
  )
}

const Row = ({ resource }: { resource: Resource }) => {
  const { websiteId, resourceType, resourceId, title, name, serverName, detail, status } = resource
  return (
    <Link
      className={css.row}
      to="/website-orchestrator/$websiteId/$resourceType/$resourceId"
      params={{ websiteId: String(websiteId), resourceType, resourceId: String(resourceId) }}
    >
      <Text span c="dimmed" truncate>
        {title}
      </Text>
      <Mono truncate title={name}>
        {name}
      </Mono>
      <Mono c="dimmed" truncate className={css.wide}>
        {serverName ?? ''}
      </Mono>
      <Text span c="dimmed" truncate title={detail} className={`${css.wide} ${css.detail}`}>
        {detail}
      </Text>
      <StatusBadge state={status} />
      <IconChevronRight size={14} opacity={0.4} aria-hidden className={css.wide} />
    </Link>
  )
}
