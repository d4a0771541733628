import type { MailboxDetails } from '@innkeeper/contract/mailboxes'
import type { MailRecord } from '@innkeeper/contract/mailRecords'
import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../kit/access/reasons.ts'
import { attempt } from '../kit/api/attempt.ts'
import { confirm } from '../kit/dialogs/dialogs.ts'
import { toast } from '../kit/dialogs/toast.ts'
import { Section } from '../kit/frame/Section.tsx'
import { ActButton } from '../kit/look/ActButton.tsx'
import { CodeBlock } from '../kit/look/CodeBlock.tsx'
import { counted } from '../kit/look/format.ts'
import { Mono } from '../kit/look/Mono.tsx'
import { StatusBadge } from '../kit/look/StatusBadge.tsx'
import { domains } from './acts.ts'
import { mailboxesApi } from './api.ts'
import css from './Mailboxes.module.css'

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
          <Keys mailbox={mailbox} keys={data.keys} />
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

function Keys({
  mailbox,
  keys,
}: {
  mailbox: MailboxDetails
  keys: { id: number; selector: string; signs: boolean }[]
}) {
  const lacking = useReason()
  const make = async () => {
    const begun = await attempt(() => mailboxesApi.newKey({ id: mailbox.id }), domains)
    if (begun) toast.info('Making another DKIM key', 'Publish its record, then sign with it.')
  }
  const signWith = async (key: { id: number; selector: string }) => {
    const sure = await confirm({
      title: `Sign with ${key.selector}?`,
      text: 'Its record has to be published. Keep the record of the former key for a week: mail that it signed is still on its way.',
      verb: 'Sign with this key',
    })
    if (sure) await attempt(() => mailboxesApi.signWith({ id: mailbox.id, key: key.id }), domains)
  }
  return (
    <>
      {keys.map((key) => (
        <div key={key.id} className={css.line}>
          <Text className={css.grow}>
            DKIM key <Mono>{key.selector}</Mono>
            <Text span c="dimmed" fz="xs" display="block">
              {key.signs ? 'signs outgoing mail' : 'does not sign'}
            </Text>
          </Text>
          {!key.signs && (
            <ActButton
              size="xs"
              variant="default"
              reason={lacking(mailboxesApi.signWith)}
              onClick={() => void signWith(key)}
            >
              Sign with it…
            </ActButton>
          )}
        </div>
      ))}
      <div className={css.line}>
        <Text c="dimmed" fz="xs" className={css.grow}>
          A key is replaced with overlap: make another, publish its record, then sign with it.
        </Text>
        <ActButton size="xs" variant="default" reason={lacking(mailboxesApi.newKey)} onClick={() => void make()}>
          Make another key
        </ActButton>
      </div>
    </>
  )
}
