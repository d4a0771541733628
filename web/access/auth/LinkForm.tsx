import { Alert, Button, PasswordInput, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { lookUpLink, type Proof, redeemLink } from '../../kit/access/account.ts'
import { ApiError } from '../../kit/api/client.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'

type Invited = Awaited<ReturnType<typeof lookUpLink>>

/** Form for a one-use link: names its user and sets a password. */
export default function LinkForm({ link, leave }: { link: string; leave: () => void }) {
  const [invited, setInvited] = useState<Invited>()
  const [message, setMessage] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [refused, setRefused] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    lookUpLink(link).then(setInvited, (error: Error) => setMessage(error.message))
  }, [link])

  const short = password.length < 12 ? 'The password needs 12 characters or more.' : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) void redeem(async () => (code ? { code } : {}))
  }
  const byPasskey = () =>
    redeem(async () => ({ passkey: await import('./passkey.ts').then(({ answerOfPasskey }) => answerOfPasskey()) }))
  const redeem = async (prove: () => Promise<Proof>) => {
    setBusy(true)
    setRefused({})
    setMessage('')
    try {
      const proof = await prove()
      history.replaceState(null, '', '/login') // the link has been used
      await redeemLink(link, password, proof)
    } catch (error) {
      if (error instanceof ApiError && error.body.fields) setRefused(error.body.fields)
      else setMessage(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form noValidate onSubmit={submit}>
      <Title order={1} fz={24}>
        Choose your password
      </Title>
      <Text c="dimmed" mt={4} mb={24}>
        {invited ? `Welcome, ${invited.name}` : 'To the back office'}
      </Text>
      {message && (
        <Alert color="error" variant="light" p="10px 12px" mb={16} role="alert">
          {message}
        </Alert>
      )}
      {!invited && !message && <Skeleton h={160} />}
      {invited && (
        <Stack gap={14}>
          <TextInput label="User name" name="username" autoComplete="username" value={invited.username} readOnly />
          <PasswordInput
            label="New password"
            name="password"
            description="12 characters or more; a sentence is welcome"
            autoComplete="new-password"
            autoFocus
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={refused.password}
          />
          {invited.secondFactor && (
            <TextInput
              label="Code"
              description="The six digits of your authenticator, or a backup code"
              autoComplete="one-time-code"
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              error={refused.code}
            />
          )}
          {invited.secondFactor && (
            <ActButton variant="default" h={38} reason={short} onClick={() => void byPasskey()}>
              Use a passkey instead
            </ActButton>
          )}
          <ActButton
            type="submit"
            fullWidth
            mt={6}
            loading={busy}
            h={38}
            reason={short ?? (invited.secondFactor && !code ? 'Type the code first.' : undefined)}
          >
            Sign in
          </ActButton>
        </Stack>
      )}
      <Button variant="subtle" color="secondary" size="xs" mt={16} onClick={leave}>
        Sign in with a password
      </Button>
    </form>
  )
}
