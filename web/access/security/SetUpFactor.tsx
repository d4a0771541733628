import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useSession } from '../../kit/access/session.ts'
import { ApiError } from '../../kit/api/client.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { secondFactorApi } from './api.ts'
import { Qr } from './qr.tsx'

type Begun = Awaited<ReturnType<typeof secondFactorApi.begin>>
interface Steps {
  /** Receives the backup codes, which the server answers once. */
  done: (backupCodes: string[]) => void
  cancel?: () => void
}

/** Steps: give the password, scan, type the code, keep the backup codes. */
export function SetUpFactor({ done, cancel }: Steps) {
  const { username } = useSession()
  const [begun, setBegun] = useState<Begun>()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const off = cancel && (
    <Button variant="default" onClick={cancel}>
      Cancel
    </Button>
  )
  if (!begun)
    return (
      <Step submit={async () => setBegun(await secondFactorApi.begin({ password }))}>
        {({ busy, error }) => (
          <Stack gap={14} maw={360}>
            {/* tells password managers whose password this is */}
            <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
            <PasswordInput
              label="Your password"
              description="So that nobody else at your open screen can set one up"
              autoComplete="current-password"
              data-autofocus
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              error={error}
            />
            <Group gap={8}>
              <ActButton type="submit" loading={busy} reason={password ? undefined : 'Type your password first.'}>
                Go on
              </ActButton>
              {off}
            </Group>
          </Stack>
        )}
      </Step>
    )
  const { secret, uri } = begun
  return (
    <Step key="confirm" submit={async () => done((await secondFactorApi.confirm({ code })).backupCodes)}>
      {({ busy, error }) => (
        <Stack gap={16}>
          <Group align="flex-start" gap={20}>
            <Qr text={uri} label="QR code for an authenticator" />
            <Stack gap={8} maw={300}>
              <Text>Scan it with an authenticator on your phone. Or type this secret there:</Text>
              <Mono style={{ overflowWrap: 'anywhere' }}>{secret.match(/.{1,4}/g)?.join(' ')}</Mono>
              <Text c="dimmed" fz="xs">
                Time-based, six digits, 30 seconds.
              </Text>
            </Stack>
          </Group>
          <TextInput
            label="Code that it shows now"
            inputMode="numeric"
            autoComplete="one-time-code"
            w={200}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={error}
          />
          <Group gap={8}>
            <ActButton
              type="submit"
              loading={busy}
              reason={code.replace(/\s/g, '').length === 6 ? undefined : 'Type the six digits first.'}
            >
              Turn on
            </ActButton>
            {off}
          </Group>
        </Stack>
      )}
    </Step>
  )
}

interface State {
  busy: boolean
  /** The server's error for the field. */
  error: string | undefined
}

/** A form with one field. Works without the router, because it also runs before the app is loaded. */
function Step({ submit, children }: { submit: () => Promise<void>; children: (state: State) => ReactNode }) {
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    setBusy(true)
    setError(undefined)
    try {
      await submit()
    } catch (cause) {
      const [said] = cause instanceof ApiError ? Object.values(cause.body.fields ?? {}) : []
      setError(said ?? (cause instanceof Error ? cause.message : String(cause)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void send(event)}>
      {children({ busy, error })}
    </form>
  )
}
