import type { Mailbox } from '@innkeeper/contract/net/mailboxes/calls'
import type { StoredReport } from '@innkeeper/contract/net/mailboxes/reports'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorLine } from '../../kit/frame/ErrorLine.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { SectionBars } from '../../kit/frame/SectionBars.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { count, counted, day } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { mailboxesApi } from './api.ts'
import css from './Mailboxes.module.css'

/** What other mail servers report about mail in the name of a domain, and about encryption on the way here. */
export default function Reports({ mailbox: { id, domain } }: { mailbox: Mailbox }) {
  const { data, error } = useQuery(mailboxesApi.reports.query({ id }))
  if (!data) return error ? <ErrorLine error={error} /> : <SectionBars />
  const { month } = data
  return (
    <Section
      title="Reports of other mail servers"
      hint={data.total ? counted(data.total, ['report', 'reports']) : undefined}
      pad={!data.items.length}
    >
      {month.reports > 0 && (
        <div className={css.line}>
          <Text fw={450}>
            Last 30 days: {count(month.passed)} messages passed DMARC, {count(month.failed)} did not
          </Text>
        </div>
      )}
      {data.items.map((report) => (
        <Line key={report.id} report={report} />
      ))}
      {!data.items.length && (
        <Text c="dimmed">
          None yet. Other servers report once a day, when the DMARC record of {domain} names our address for reports.
        </Text>
      )}
    </Section>
  )
}

function Line({ report }: { report: StoredReport }) {
  const [open, setOpen] = useState(false)
  const { kind, organisation, from, until, passed, failed, sources } = report
  const noun = kind === 'dmarc' ? 'messages' : 'connections'
  const period = day(from) === day(until) ? day(from) : `${day(from)} to ${day(until)}`
  return (
    <div className={css.line}>
      <div className={css.grow}>
        <Text fw={450}>
          {organisation || 'a server without a name'}, {kind === 'dmarc' ? 'DMARC' : 'TLS'}
        </Text>
        <Text c="dimmed" fz="xs">
          {period}: {count(passed)} {noun} passed, {count(failed)} failed
        </Text>
        {open &&
          sources.map((one) => (
            <Text key={`${one.source} ${one.why}`} c="dimmed" fz="xs">
              <Mono>{one.source}</Mono> {count(one.passed)} passed, {count(one.failed)} failed
              {one.why && `: ${one.why}`}
            </Text>
          ))}
      </div>
      {sources.length > 0 && (
        <ActButton size="xs" variant="default" onClick={() => setOpen(!open)}>
          {open ? 'Hide servers' : 'Show servers'}
        </ActButton>
      )}
    </div>
  )
}
