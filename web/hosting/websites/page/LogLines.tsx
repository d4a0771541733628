import type { Website } from '@innkeeper/contract/hosting/websites'
import { Group, SegmentedControl, Switch, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Section } from '../../../kit/frame/Section.tsx'
import { moment } from '../../../kit/look/format.ts'
import { websitesApi } from '../api.ts'
import css from './LogLines.module.css'

/** Milliseconds between two requests, and lines per request. */
const FRESH = 3000
const LINES = 300
const kinds = [
  { value: 'access', label: 'Access' },
  { value: 'error', label: 'Errors' },
]

/** Log of the website, newest line last; polled from its server while the tab is visible. */
export default function LogLines({ website: { id, serverName } }: { website: Website }) {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const kind = search.log === 'error' ? 'error' : 'access'
  const [live, setLive] = useState(true)
  const [wanted, setWanted] = useState('')
  const { data, error, isPending } = useQuery({
    ...websitesApi.logLines.query({ id, kind, lines: LINES }),
    // no polling after an error
    refetchInterval: ({ state }) => live && !state.error && FRESH,
    retry: false,
    placeholderData: keepPreviousData,
  })
  const all = data?.lines ?? []
  const lines = wanted ? all.filter((line) => line.toLowerCase().includes(wanted.toLowerCase())) : all
  return (
    <Section
      title="Log lines"
      hint={error ? error.message : data && `of ${serverName}, asked ${moment(data.at)}`}
      pad={false}
      aside={
        <Switch label="Live" size="xs" checked={live} onChange={(event) => setLive(event.currentTarget.checked)} />
      }
    >
      <Group gap={10} p={10}>
        <SegmentedControl
          size="xs"
          aria-label="Which log"
          data={kinds}
          value={kind}
          onChange={(log) => void navigate({ to: '.', search: { tab: 'logs', log }, replace: true })}
        />
        <TextInput
          size="xs"
          aria-label="Only lines with"
          placeholder="Only lines with…"
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
        {wanted && (
          <Text c="dimmed" fz="xs">
            {lines.length} of the last {all.length}
          </Text>
        )}
      </Group>
      <div
        className={`mono ${css.lines}`}
        role="log"
        aria-label={kind === 'error' ? 'Error log' : 'Access log'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
      >
        {lines.toReversed().map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity, and the same one may come twice
          <div key={i}>{line}</div>
        ))}
        {!lines.length && (
          <Text c="dimmed">
            {isPending ? 'Asking its server…' : error ? 'Nothing could be read.' : 'Nothing was written yet.'}
          </Text>
        )}
      </div>
    </Section>
  )
}
