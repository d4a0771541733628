import type { DatabaseUser } from '@innkeeper/contract/databases'
import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../kit/access/reasons.ts'
import { ActButton } from '../kit/look/ActButton.tsx'
import { CodeBlock } from '../kit/look/CodeBlock.tsx'
import { Mono } from '../kit/look/Mono.tsx'
import { useAct } from '../kit/look/useAct.ts'
import { rotate } from './acts.ts'
import { databasesApi } from './api.ts'

/** A database account. Its password is shown on request only. */
export function Account({ user }: { user: DatabaseUser }) {
  const lacking = useReason()
  const { busy, run } = useAct()
  const [password, setPassword] = useState<string>()
  const reveal = () => run(async () => setPassword((await databasesApi.reveal({ id: user.id })).password))
  return (
    <>
      <Group gap={8}>
        <Mono>{user.username}</Mono>
        {user.privileges === 'read' && <Text c="dimmed">reads only</Text>}
        {user.locked && <Text c="dimmed">locked</Text>}
        <ActButton
          size="xs"
          variant="default"
          loading={busy}
          reason={lacking(databasesApi.reveal)}
          onClick={() => (password === undefined ? void reveal() : setPassword(undefined))}
        >
          {password === undefined ? 'Show password' : 'Hide password'}
        </ActButton>
        <ActButton size="xs" variant="default" reason={lacking(databasesApi.rotate)} onClick={() => void rotate(user)}>
          New password…
        </ActButton>
      </Group>
      {password !== undefined && <CodeBlock label={`password of ${user.username}`}>{password}</CodeBlock>}
    </>
  )
}
