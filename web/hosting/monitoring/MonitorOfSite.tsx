import type { Monitor } from '@innkeeper/contract/hosting/monitoring'
import type { Website } from '@innkeeper/contract/hosting/websites'
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { Reading } from '../../kit/frame/Reading.tsx'
import { Facts, Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, count, lasting, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { useNow } from '../../kit/look/useNow.ts'
import { monitoringApi } from './api.ts'
import { Days } from './Days.tsx'
import { MonitorModal } from './MonitorModal.tsx'

/** Milliseconds between two reads while the page is open: as often as the website is requested. */
const READ_MS = 60_000
/** Changes that the section shows. */
const SHOWN = 5

/** What another machine sees of a website: its state, response time and history. */
export default function MonitorOfSite({ website }: { website: Website }) {
  const { id, domain } = website
  const { data, error } = useQuery({ ...monitoringApi.one.query({ id }), refetchInterval: READ_MS })
  const lacking = useReason()
  const [open, setOpen] = useState(false)
  return (
    <Section
      title="Monitoring"
      hint={error?.message}
      aside={
        data && (
          <ActButton size="xs" variant="default" reason={lacking(monitoringApi.update)} onClick={() => setOpen(true)}>
            Change…
          </ActButton>
        )
      }
    >
      {data ? (
        <About monitor={data} website={website} />
      ) : (
        <Text c="dimmed">{error ? 'It could not be read.' : <Reading />}</Text>
      )}
      {open && data && <MonitorModal monitor={data} domain={domain} close={() => setOpen(false)} />}
    </Section>
  )
}

function About({ monitor, website }: { monitor: Monitor; website: Website }) {
  const now = useNow(10_000)
  const { enabled, state, since, checkedAt, status, ms, reason, askedBy, path, word, certificateUntil } = monitor
  const watched = enabled && website.status === 'active'
  const lasts = lasting(now.getTime() - Date.parse(since))
  return (
    <Stack gap={14}>
      <Facts
        of={[
          [
            'State',
            watched ? (
              <StatusBadge
                key="state"
                state={state}
                label={state === 'unknown' ? 'Not seen yet' : `${words[state]} for ${lasts}`}
              />
            ) : (
              <Text key="state" c="dimmed">
                {enabled ? `Not watched while the website is ${website.status}` : 'Not watched'}
              </Text>
            ),
          ],
          ...(watched && checkedAt
            ? fact('Last request', `${ago(checkedAt, now)} from ${askedBy ?? 'Innkeeper'}: ${saw(status, ms, reason)}`)
            : []),
          [
            'Requests',
            <Mono key="path">{`${website.toggles.ssl ? 'https' : 'http'}://${website.domain}${path}`}</Mono>,
          ],
          ...(word ? fact('Word on the page', word) : []),
          ...(certificateUntil ? fact('Certificate until', moment(certificateUntil)) : []),
        ]}
      />
      <Days days={monitor.days} />
      {monitor.changes.length > 0 && (
        <Facts
          of={monitor.changes.slice(0, SHOWN).map((change): [string, React.ReactNode] => [
            moment(change.at),
            <Group key={change.at} gap="xs">
              <StatusBadge state={change.state} label={words[change.state]} />
              {change.reason && <Text size="sm">{change.reason}</Text>}
            </Group>,
          ])}
        />
      )}
    </Stack>
  )
}

const words = { up: 'Up', down: 'Down', unknown: 'Unknown' }
const fact = (label: string, value: React.ReactNode): [string, React.ReactNode][] => [[label, value]]
const saw = (status: number | null, ms: number | null, reason: string | null) =>
  reason ?? `${status ?? 'an answer'}${ms === null ? '' : ` in ${count(ms)} ms`}`
