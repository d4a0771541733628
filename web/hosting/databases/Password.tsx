import type { DatabaseAccount } from '@innkeeper/contract/hosting/databases/calls'
import { Group } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { rotate } from './acts.ts'
import { databasesApi } from './api.ts'

type User = Pick<DatabaseAccount, 'id' | 'username' | 'version'>

/** Buttons that show the password of an account and set a new one. */
export function Password({ user, size }: { user: User; size?: 'xs' }) {
  const lacking = useReason()
  const { busy, run } = useAct()
  const [password, setPassword] = useState<string>()
  const reveal = () => run(async () => setPassword((await databasesApi.reveal({ id: user.id })).password))
  return (
    <>
      <Group gap={8}>
        <ActButton
          size={size}
          variant="default"
          loading={busy}
          reason={lacking(databasesApi.reveal)}
          onClick={() => (password === undefined ? void reveal() : setPassword(undefined))}
        >
          {password === undefined ? 'Show password' : 'Hide password'}
        </ActButton>
        <ActButton
          size={size}
          variant="default"
          reason={lacking(databasesApi.rotate)}
          onClick={() => void rotate(user)}
        >
          New password…
        </ActButton>
      </Group>
      {password !== undefined && <CodeBlock label={`password of ${user.username}`}>{password}</CodeBlock>}
    </>
  )
}
