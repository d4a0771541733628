import type { NewPasskey } from '@innkeeper/contract/access/passkeys'
import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../kit/api/client.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { passkeysApi } from './api.ts'

interface AddProps {
  /** Receives the backup codes of the first passkey. */
  done: (backupCodes: string[] | undefined) => void
  cancel?: () => void
}

/** Makes a passkey in the browser and adds it to the signed-in person. */
export function AddPasskey({ done, cancel }: AddProps) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const add = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    setBusy(true)
    setProblem(undefined)
    try {
      const { options } = await passkeysApi.options({ ...(password && { password }) })
      // the server's library makes the options that this library reads
      const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
      const passkey = await startRegistration({ optionsJSON }).catch((cause: unknown) => {
        throw new Error('No passkey was made. Try again.', { cause })
      })
      // the contract validates what the browser made
      const made = await passkeysApi.add({ name, passkey: passkey as NewPasskey })
      toast.success(`${made.name} is added`, 'You can sign in with it now.')
      done(made.backupCodes)
    } catch (cause) {
      const [said] = cause instanceof ApiError ? Object.values(cause.body.fields ?? {}) : []
      setProblem(said ?? (cause instanceof Error ? cause.message : String(cause)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void add(event)}>
      <Stack gap={14} maw={360}>
        {problem && (
          <Text c="error" role="alert">
            {problem}
          </Text>
        )}
        <TextInput
          label="Name"
          description="So that you recognise it: blue key, phone"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <PasswordInput
          label="Your password"
          description="Leave it empty if you sign in by an identity provider only"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Group gap={8}>
          <ActButton type="submit" loading={busy} reason={name.trim() ? undefined : 'Name the passkey first.'}>
            Add passkey
          </ActButton>
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
