import { PASSWORD_MIN, weakness } from '@innkeeper/contract/kit/passwords'
import { Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useSession } from '../../kit/access/session.ts'
import { ApiError } from '../../kit/api/client.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { authApi } from './api.ts'

type Field = 'current' | 'password'

/** Changes the password. Works without the router, because it also runs before the app is loaded. */
export function PasswordForm({ done }: { done: () => void }) {
  const { username, email, name } = useSession()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [refused, setRefused] = useState<Partial<Record<Field, string>>>({})
  const [message, setMessage] = useState('')
  const [busy, setBusy] = useState(false)
  const long = password.length >= PASSWORD_MIN
  const weak = long ? weakness(password, [username, email, name]) : undefined
  const lack = current
    ? long
      ? weak
      : `The new password needs ${PASSWORD_MIN} characters or more.`
    : 'Type the password of now first.'
  const save = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    setBusy(true)
    setRefused({})
    setMessage('')
    try {
      await authApi.password({ current, password })
      setCurrent('')
      setPassword('')
      done()
    } catch (error) {
      if (error instanceof ApiError && error.body.fields) setRefused(error.body.fields)
      else setMessage(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void save(event)}>
      {/* tells password managers whose password this is */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Stack gap={14} maw={360}>
        {message && (
          <Text c="error" role="alert">
            {message}
          </Text>
        )}
        <PasswordInput
          label="Password now"
          autoComplete="current-password"
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          error={refused.current}
        />
        <PasswordInput
          label="New password"
          description={`${PASSWORD_MIN} characters or more; a sentence is welcome`}
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={refused.password ?? weak}
        />
        <Group>
          <ActButton type="submit" loading={busy} reason={lack}>
            Change password
          </ActButton>
        </Group>
      </Stack>
    </form>
  )
}
