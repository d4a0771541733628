import { Alert, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../kit/api/client.ts'
import { Mono } from '../kit/look/Mono.tsx'
import { secondFactorApi } from './api.ts'
import { Qr } from './qr.tsx'

/** Steps: scan, type the code, keep the backup codes. Passes the codes, which the server answers once, to `done`. */
export function SetUpFactor({ done, cancel }: { done: (backupCodes: string[]) => void; cancel?: () => void }) {
  // never refetch: each request creates another secret
  const begun = useQuery({
    queryKey: ['secondFactor', 'begin'],
    queryFn: () => secondFactorApi.begin(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const [code, setCode] = useState('')
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)
  const confirm = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    setBusy(true)
    setError('')
    try {
      const { backupCodes } = await secondFactorApi.confirm({ code })
      done(backupCodes)
    } catch (cause) {
      setError(cause instanceof ApiError ? (cause.body.fields?.code ?? cause.message) : String(cause))
    } finally {
      setBusy(false)
    }
  }
  if (begun.error)
    return (
      <Alert color="error" role="alert">
        {begun.error.message}
      </Alert>
    )
  if (!begun.data) return <Skeleton h={184} />
  const { secret, uri } = begun.data
  return (
    <form onSubmit={(event) => void confirm(event)}>
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
          error={error || undefined}
        />
        <Group gap={8}>
          <Button type="submit" loading={busy} disabled={code.replace(/\s/g, '').length !== 6}>
            Turn on
          </Button>
          {cancel && (
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
