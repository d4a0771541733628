import type { Output } from '@innkeeper/contract/kit/endpoint'
import type { qcChecks } from '@innkeeper/contract/quality/qc/checks'
import { type Kind, kinds } from '@innkeeper/contract/quality/qc/values'
import { Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../../kit/api/client.ts'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { qcChecksApi } from '../api.ts'
import type { CheckValues } from './values.ts'
import { measured } from './words.ts'

type Tried = Output<typeof qcChecks.tryCheck>

/** Tries the rule of the form on one conversation, before the rule is saved. */
export function TryCheck({ values }: { values: CheckValues }) {
  const [kind, setKind] = useState<Kind>(values.usedFor === 'ticket' ? 'ticket' : 'chat')
  const [externalId, setExternalId] = useState('')
  const [tried, setTried] = useState<Tried>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    setTried(undefined)
    setProblem(undefined)
    const { name: _, isActive: __, ...rule } = values
    try {
      setTried(await qcChecksApi.tryCheck({ kind, externalId: externalId.trim(), ...rule }))
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'The rule could not be tried')
    }
    setBusy(false)
  }
  return (
    <Section title="Try it" hint="on a conversation that you may read; nothing is stored">
      <Group align="flex-start" wrap="wrap" gap={8}>
        <SegmentedControl
          aria-label="Kind"
          data={kinds.map((value) => ({ value, label: value === 'chat' ? 'Chat' : 'Ticket' }))}
          value={kind}
          onChange={(next) => setKind(next === 'ticket' ? 'ticket' : 'chat')}
        />
        <TextInput
          aria-label="Id of the conversation"
          placeholder="Id at its source"
          value={externalId}
          onChange={(event) => setExternalId(event.currentTarget.value)}
          error={problem}
          style={{ flex: 1 }}
        />
        <ActButton
          variant="default"
          reason={externalId.trim() ? undefined : 'Type the number of a conversation first.'}
          loading={busy}
          onClick={() => void run()}
        >
          Try
        </ActButton>
      </Group>
      <div aria-live="polite">{tried && <Outcome tried={tried} check={values.check} />}</div>
    </Section>
  )
}

const states = {
  passed: ['done', 'Passed'],
  failed: ['failed', 'Failed'],
  none: ['skipped', 'No result'],
} as const

function Outcome({ tried, check }: { tried: Tried; check: CheckValues['check'] }) {
  const [state, label] = states[tried.result]
  return (
    <Stack gap={6} mt={8}>
      <Group gap={8}>
        <StatusBadge state={state} label={label} />
        <Text c="dimmed">{measured({ check, ...tried })}</Text>
      </Group>
      {tried.excerpts.map((text, n) => (
        <Text key={tried.places[n] ? `${tried.places[n].messageId} ${tried.places[n].from}` : text} fz="xs" dir="auto">
          {text}
        </Text>
      ))}
    </Stack>
  )
}
