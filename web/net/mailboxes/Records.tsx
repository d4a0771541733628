import type { MailboxDetails } from '@innkeeper/contract/net/mailboxes/calls'
import type { MailRecord } from '@innkeeper/contract/net/mailboxes/mailRecords'
import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'
import { counted } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { mailboxesApi } from './api.ts'
import css from './Mailboxes.module.css'
import { SigningKeys } from './SigningKeys.tsx'

const badges = { right: 'valid', different: 'degraded', missing: 'failed', unknown: 'unknown' } as const
const words = {
  right: 'as it should be',
  different: 'something else is there',
  missing: 'missing',
  unknown: 'no name server answered',
} as const

/** DNS records that mail needs. Name servers are asked when somebody opens the section. */
export function Records({ mailbox }: { mailbox: MailboxDetails }) {
  const lacking = useReason()
  const [open, setOpen] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    ...mailboxesApi.dns.query({ id: mailbox.id }),
    enabled: open,
  })
  const canWrite = data?.records.some(({ state, zone }) => zone !== null && state === 'missing')
  const write = async () => {
    const done = await attempt(() => mailboxesApi.writeDns({ id: mailbox.id }), ['mailboxes', 'dns'])
    if (done)
      toast.info(
        done.written.length
          ? `Wrote ${counted(done.written.length, ['record', 'records'])}`
          : 'No record was missing in our zones',
      )
  }
  return (
    <Section
      title="DNS and DKIM"
      hint={data && `${data.records.filter(({ state }) => state === 'right').length} of ${data.records.length} right`}
      pad={!data}
      aside={
        <Group gap={8}>
          {canWrite && (
            <ActButton size="xs" reason={lacking(mailboxesApi.writeDns)} onClick={() => void write()}>
              Write missing records
            </ActButton>
          )}
          <Button
            size="xs"
            variant="default"
            loading={isFetching}
            onClick={() => (open ? void refetch() : setOpen(true))}
          >
            {open ? 'Check again' : 'Check'}
          </Button>
        </Group>
      }
    >
      {data ? (
        <>
          {data.records.map((record) => (
            <Line key={`${record.name} ${record.type} ${record.content}`} record={record} />
          ))}
          <SigningKeys mailbox={mailbox} keys={data.keys} />
        </>
      ) : (
        <Text c="dimmed">
          {error?.message ??
            'MX, SPF, DKIM, DMARC and SRV records: without them, mail does not arrive or is taken for spam.'}
        </Text>
      )}
    </Section>
  )
}

const Line = ({ record }: { record: MailRecord }) => (
  <div className={css.line}>
    <div className={css.grow}>
      <Group gap={10}>
        <StatusBadge state={badges[record.state]} />
        <Text fw={450}>
          {record.type} {record.name}
        </Text>
      </Group>
      <Text c="dimmed" fz="xs">
        {record.purpose}: {words[record.state]}
        {record.now.length && record.state === 'different' ? `: ${record.now.join(', ')}` : ''}
        {record.zone === null && record.state !== 'right' ? '. Kept elsewhere: copy this line there' : ''}
      </Text>
      {record.state !== 'right' && <CodeBlock label={`${record.type} record`}>{record.line}</CodeBlock>}
    </div>
  </div>
)
