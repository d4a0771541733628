import { providers } from '@innkeeper/contract/access/providers'
import { Button, Stack, Text } from '@mantine/core'
import { IconFingerprint, IconLogin2 } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { bind } from '../../kit/api/client.ts'
import { ownPath } from '../../kit/frame/address.ts'
import { signInByPasskey } from './passkey.ts'

const api = bind('providers', { ways: providers.ways })
type Ways = Awaited<ReturnType<typeof api.ways>>

interface Props {
  /** Shows a failure above the form. */
  say: (message: string) => void
  /** Learns whether passwords sign in. */
  setPasswords: (on: boolean) => void
}

/** The ways to sign in beside a password: a passkey, and the identity providers. */
export default function OtherWays({ say, setPasswords }: Props) {
  const [ways, setWays] = useState<Ways>()
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    api.ways().then(
      (found) => {
        setWays(found)
        setPasswords(found.passwords)
      },
      () => undefined, // the password form says what is wrong
    )
  }, [setPasswords])
  const byPasskey = async () => {
    setBusy(true)
    say('')
    await signInByPasskey().catch((error: Error) => say(error.message))
    setBusy(false)
  }
  return (
    <Stack gap={10} mt={18}>
      <Text c="dimmed" fz="xs" ta="center">
        or
      </Text>
      {ways?.providers.map(({ id, name }) => (
        <Button
          key={id}
          component="a"
          variant="default"
          h={38}
          leftSection={<IconLogin2 size={16} />}
          href={`/api/auth/providers/${id}/begin?to=${encodeURIComponent(wantedPage())}`}
        >
          Sign in with {name}
        </Button>
      ))}
      <Button
        variant="default"
        h={38}
        leftSection={<IconFingerprint size={16} />}
        loading={busy}
        onClick={() => void byPasskey()}
      >
        Sign in with a passkey
      </Button>
    </Stack>
  )
}

const wantedPage = () => ownPath(new URLSearchParams(globalThis.location.search).get('to')) ?? '/'
