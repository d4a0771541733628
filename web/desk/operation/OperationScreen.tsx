import type { Channel, Heartbeat, LogStream, Node } from '@innkeeper/contract/desk/operation'
import { Stack, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt, succeeds } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Facts, Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { bytes, count, lasting, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { When } from '../../kit/look/When.tsx'
import { operationApi } from './api.ts'
import { Troubles } from './Troubles.tsx'

/** The health of Innkeeper itself, and how people outside learn of it. */
export default function OperationScreen() {
  const query = useQuery(operationApi.health.query())
  const { data } = query
  return (
    <Screen query={query} actions={<TestButton />}>
      {data && (
        <Stack gap={16}>
          <Section title="Faults" hint="each is told once when it begins, and once when it is over" pad={false}>
            <Troubles open={data.open} ended={data.ended} />
          </Section>
          <Section title="Processes" pad={false}>
            <Processes nodes={data.nodes} />
          </Section>
          <Section title="Alerts" hint="set up in the settings of the machine" pad={false}>
            <Channels channels={data.channels} />
          </Section>
          <Section title="Heartbeat" hint="a place outside alerts people when it is missing">
            <HeartbeatFacts heartbeat={data.heartbeat} />
          </Section>
          <Section title="Stream of the action log">
            <StreamFacts stream={data.logStream} />
          </Section>
        </Stack>
      )}
    </Screen>
  )
}

function TestButton() {
  const lacking = useReason()
  const { busy, run } = useAct()
  const test = () =>
    void run(async () => {
      const sent = await attempt(() => operationApi.test({}), ['operation'])
      if (!sent) return
      const others = sent.channels.join(', ')
      toast.success(others ? `A test alert is on its way by ${others} and to your bell` : 'A test alert rang your bell')
    })
  return (
    <ActButton
      variant="default"
      leftSection={<IconSend size={15} />}
      loading={busy}
      reason={lacking(operationApi.test)}
      onClick={test}
    >
      Send a test alert
    </ActButton>
  )
}

function Processes({ nodes }: { nodes: readonly Node[] }) {
  const lacking = useReason()
  const forget = async ({ id, name }: Node) => {
    const sure = await confirm({
      title: `Remove ${name} from the list?`,
      text: 'Its alert ends. A process that starts again is listed again.',
      verb: 'Remove',
    })
    if (sure && (await succeeds(() => operationApi.forget({ id }), ['operation'])))
      toast.success(`${name} is removed from the list`)
  }
  return (
    <SectionTable
      label="Processes of Innkeeper"
      rows={nodes}
      keyOf={({ id }) => id}
      empty="No process has reported yet."
      columns={[
        { title: 'Process', cell: ({ name }) => <Mono>{name}</Mono> },
        { title: 'State', width: 110, cell: ({ isGone }) => <StatusBadge state={isGone ? 'offline' : 'online'} /> },
        { title: 'Does', width: 130, cell: ({ roles }) => roles.join(', ') },
        { title: 'Version', width: 90, cell: ({ version }) => version },
        { title: 'Started', width: 110, cell: ({ startedAt }) => <When at={startedAt} /> },
        { title: 'Reported', width: 110, cell: ({ at }) => <When at={at} /> },
        { title: 'Disk free', width: 150, cell: (node) => `${bytes(node.diskFree)} of ${bytes(node.diskTotal)}` },
        {
          title: '',
          width: 100,
          cell: (node) =>
            node.isGone && (
              <ActButton
                size="xs"
                variant="default"
                aria-label={`Remove ${node.name} from the list`}
                reason={lacking(operationApi.forget)}
                onClick={() => void forget(node)}
              >
                Remove…
              </ActButton>
            ),
        },
      ]}
    />
  )
}

const channelNames = { mail: 'Mail', sms: 'SMS', webhook: 'Webhook' } as const

const Channels = ({ channels }: { channels: readonly Channel[] }) => (
  <SectionTable
    label="Channels of alerts"
    rows={channels}
    keyOf={({ channel }) => channel}
    empty={
      <>
        Faults ring the bell of administrators alone. Set <Mono>INNKEEPER_ALERT_MAIL</Mono>,{' '}
        <Mono>INNKEEPER_ALERT_SMS</Mono> or <Mono>INNKEEPER_ALERT_WEBHOOK</Mono> to tell people elsewhere.
      </>
    }
    columns={[
      { title: 'Channel', width: 110, cell: ({ channel }) => channelNames[channel] },
      { title: 'To', cell: ({ to }) => to },
      { title: 'Last sent', width: 120, cell: ({ sentAt }) => (sentAt ? <When at={sentAt} /> : 'nothing yet') },
      { title: 'Waiting', width: 80, align: 'right', cell: ({ waiting }) => waiting },
      { title: 'Last error', cell: ({ error }) => error ?? '' },
    ]}
  />
)

function HeartbeatFacts({ heartbeat }: { heartbeat: Heartbeat | null }) {
  if (!heartbeat)
    return (
      <Text c="dimmed" fz="sm">
        A dead Innkeeper alerts nobody. Set <Mono>INNKEEPER_HEARTBEAT</Mono> to an address of a service that alerts you
        when it is not asked.
      </Text>
    )
  const { to, everySeconds, sentAt, failingSince, error } = heartbeat
  return (
    <Facts
      of={[
        ['To', to],
        ['Every', lasting(everySeconds * 1000)],
        ['Last success', sentAt ? moment(sentAt) : 'none yet'],
        ...(failingSince ? [['Failing since', `${moment(failingSince)}: ${error ?? ''}`] as [string, string]] : []),
      ]}
    />
  )
}

function StreamFacts({ stream }: { stream: LogStream | null }) {
  if (!stream)
    return (
      <Text c="dimmed" fz="sm">
        The action log stays here. Set <Mono>INNKEEPER_LOG_STREAM</Mono> to have each row at a syslog or at an address
        of yours, too.
      </Text>
    )
  const { to, since, sentAt, failingSince, error, rows, seconds } = stream
  return (
    <Facts
      of={[
        ['To', to],
        ['Rows since', since ? moment(since) : 'not begun'],
        ['Last sent', sentAt ? moment(sentAt) : 'nothing yet'],
        ['Behind', rows ? `${count(rows)} rows, ${lasting(seconds * 1000)}` : 'nothing waits'],
        ...(failingSince ? [['Failing since', `${moment(failingSince)}: ${error ?? ''}`] as [string, string]] : []),
      ]}
    />
  )
}
