import type { Provider } from '@innkeeper/contract/access/providers'
import { Group, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt, succeeds } from '../../kit/api/attempt.ts'
import { confirm, confirmByName } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'
import { ago, counted, moment } from '../../kit/look/format.ts'
import { providersApi } from './api.ts'

/** What is entered at the provider, and the access of the provider to accounts. */
export function ProviderSide({ provider }: { provider: Provider }) {
  const { id, name, version } = provider
  const lacking = useReason()
  const navigate = useNavigate()
  const [said, setSaid] = useState<{ answers: boolean; message: string }>()
  const { origin } = globalThis.location
  const base = `${origin}/api/auth/providers/${id}`
  const check = async () => setSaid(await attempt(() => providersApi.check({ id }), []))
  const remove = async () => {
    const sure = await confirmByName({
      title: `Remove ${name}?`,
      name,
      verb: 'Remove provider',
      goes: [`The button of ${name} on the sign-in page`, 'Sessions that began at it', 'Its SCIM token'],
      stays: `Its ${counted(provider.people, ['person keeps the account', 'people keep their accounts'])}.`,
    })
    if (!sure) return
    if (!(await succeeds(() => providersApi.remove({ id, version }), ['providers']))) return
    toast.success(`${name} is removed`)
    void navigate({ to: '/sign-in' })
  }
  const reason = lacking(providersApi.update)
  return (
    <Stack gap={16} miw={0}>
      <Section title="At the provider" hint="enter these there">
        <Stack gap={10}>
          <Text fz="xs">Redirect address</Text>
          <CodeBlock label="redirect address">{`${base}/callback`}</CodeBlock>
          <Text fz="xs">Back-channel logout address</Text>
          <CodeBlock label="back-channel logout address">{`${base}/logout`}</CodeBlock>
          <Group gap={8}>
            <ActButton size="xs" variant="default" reason={reason} onClick={() => void check()}>
              Ask the provider
            </ActButton>
          </Group>
          {said && (
            <Text fz="xs" role="status" {...(!said.answers && { c: 'error' })}>
              {said.message}
            </Text>
          )}
        </Stack>
      </Section>
      <Scim provider={provider} {...(reason && { reason })} />
      <Group>
        <ActButton size="xs" color="error" variant="subtle" reason={reason} onClick={() => void remove()}>
          Remove provider…
        </ActButton>
      </Group>
    </Stack>
  )
}

function Scim({ provider, reason }: { provider: Provider; reason?: string }) {
  const { id, name, scimMadeAt, scimUsedAt } = provider
  const [token, setToken] = useState<string>()
  const make = async () => {
    const sure =
      !scimMadeAt ||
      (await confirm({ title: 'Make a new token?', text: 'The present token ends at once.', verb: 'Make token' }))
    if (!sure) return
    const made = await attempt(() => providersApi.makeScimToken({ id }), ['providers'])
    setToken(made?.token)
  }
  const drop = async () => {
    const sure = await confirm({
      title: `End the access of ${name} to accounts?`,
      text: 'It no longer makes, changes or suspends accounts. The accounts stay as they are.',
      verb: 'End access',
      danger: true,
    })
    if (!sure) return
    setToken(undefined)
    await succeeds(() => providersApi.dropScimToken({ id }), ['providers'])
  }
  return (
    <Section title="SCIM" hint="the provider keeps accounts and groups">
      <Stack gap={10}>
        <Text fz="xs">Address</Text>
        <CodeBlock label="SCIM address">{`${globalThis.location.origin}/scim/v2`}</CodeBlock>
        {token && (
          <>
            <Text fz="xs">Token, which is not shown again</Text>
            <CodeBlock label="SCIM token">{token}</CodeBlock>
          </>
        )}
        <Text c="dimmed" fz="xs">
          {scimMadeAt
            ? `Token made ${moment(scimMadeAt)}, ${scimUsedAt ? `used ${ago(scimUsedAt)}` : 'not used yet'}`
            : 'Without a token, the provider has no access to accounts.'}
        </Text>
        <Group gap={8}>
          <ActButton size="xs" variant="default" reason={reason} onClick={() => void make()}>
            {scimMadeAt ? 'New token…' : 'Make token'}
          </ActButton>
          {scimMadeAt && (
            <ActButton size="xs" variant="default" reason={reason} onClick={() => void drop()}>
              End access…
            </ActButton>
          )}
        </Group>
      </Stack>
    </Section>
  )
}
