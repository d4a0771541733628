import type { Website } from '@innkeeper/contract/hosting/websites'
import { Badge, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Reading } from '../../kit/frame/Reading.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { seenState } from '../websites/SeenStatus.tsx'
import { groupsApi } from './api.ts'
import css from './Members.module.css'

/** Other websites of the group in its order, which is edited on the page of the group. */
export default function GroupOfSite({ website }: { website: Website }) {
  const { data, error } = useQuery(groupsApi.ofWebsite.query({ id: website.id }))
  const group = data?.group
  return (
    <Section
      title="Group"
      hint={group && counted(group.websites, ['website', 'websites'])}
      pad={!group}
      aside={
        group && (
          <LinkTo to="/websites/groups/$id" params={{ id: String(group.id) }} fz="xs">
            Open group
          </LinkTo>
        )
      }
    >
      {group ? (
        <ol className={css.members}>
          {group.items.map((site) => (
            <li key={site.id} className={css.member}>
              <div className={css.name}>
                {site.id === website.id ? (
                  <Mono truncate>{site.domain}</Mono>
                ) : (
                  <LinkTo to="/websites/$id" params={{ id: String(site.id) }} c="inherit" truncate>
                    <Mono>{site.domain}</Mono>
                  </LinkTo>
                )}
                {site.id === group.mainWebsite && <Badge color="primary">Main</Badge>}
              </div>
              <Mono c="dimmed" className={css.wide}>
                {site.serverName}
              </Mono>
              <StatusBadge state={seenState(site)} />
            </li>
          ))}
        </ol>
      ) : (
        <Text c="dimmed">{error?.message ?? (data ? 'The website is in no group.' : <Reading />)}</Text>
      )}
    </Section>
  )
}
