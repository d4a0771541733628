import type { Website } from '@innkeeper/contract/hosting/websites'
import { Group, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Reading } from '../../kit/frame/Reading.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ago } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { useNow } from '../../kit/look/useNow.ts'
import { logApi } from './api.ts'
import css from './log.module.css'
import { actOf } from './words.ts'

const SHOWN = 6

/** What people did to a website and to what belongs to it, the latest first. */
export default function ChangesOfSite({ website }: { website: Website }) {
  const now = useNow(60_000)
  const of = { website: String(website.id) }
  const { data, error } = useQuery({
    ...logApi.list.query({ ...of, itemsPerPage: SHOWN }),
    placeholderData: keepPreviousData,
  })
  return (
    <Section
      title="Last changes"
      hint={error?.message}
      aside={
        <LinkTo to="/action-logs" search={of} fz="xs">
          All changes
        </LinkTo>
      }
      pad={false}
    >
      {data?.items.map((row) => (
        <LinkTo
          key={row.id}
          to="/action-logs/$id"
          params={{ id: String(row.id) }}
          className={css.change}
          underline="never"
        >
          <Group gap={8} wrap="nowrap" miw={0}>
            <Text span truncate>
              {actOf(row)}
              {row.subject && row.resource !== 'website' && ` ${row.subject}`}
            </Text>
            {row.result !== 'success' && <StatusBadge state={row.result} />}
          </Group>
          <Text span c="dimmed" fz="xs" truncate>
            {row.staffName}
          </Text>
          <Text span c="dimmed" fz="xs" className="num">
            {ago(row.time, now)}
          </Text>
        </LinkTo>
      ))}
      {data?.items.length === 0 && (
        <Text c="dimmed" p={14}>
          Nobody has changed this website here.
        </Text>
      )}
      {!data && (
        <Text c="dimmed" p={14}>
          {error ? 'The changes could not be read.' : <Reading />}
        </Text>
      )}
    </Section>
  )
}
