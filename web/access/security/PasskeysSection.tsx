import type { Passkey } from '@innkeeper/contract/access/passkeys'
import { Badge, Button, Group, PasswordInput, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../../kit/api/queries.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { ago, moment } from '../../kit/look/format.ts'
import { AddPasskey } from './AddPasskey.tsx'
import { passkeysApi, secondFactorApi } from './api.ts'
import { BackupCodes } from './BackupCodes.tsx'

const reread = () => {
  void queryClient.invalidateQueries({ queryKey: passkeysApi.list.key })
  void queryClient.invalidateQueries({ queryKey: secondFactorApi.read.key })
}

/** The signed-in person's passkeys: they replace the password, or the code beside it. */
export function PasskeysSection() {
  const { data, error, isPending } = useQuery(passkeysApi.list.query())
  const [adds, setAdds] = useState(false)
  const [codes, setCodes] = useState<string[]>()
  const [gone, setGone] = useState<Passkey>()
  return (
    <Section
      title="Passkeys"
      hint="your finger, face or PIN instead of a password"
      aside={
        !adds &&
        !codes && (
          <Button size="xs" variant="default" onClick={() => setAdds(true)}>
            Add passkey
          </Button>
        )
      }
    >
      <Stack gap={14}>
        {isPending && <Skeleton h={34} />}
        {error && <Text c="error">{error.message}</Text>}
        {codes && <BackupCodes codes={codes} done={() => setCodes(undefined)} />}
        {adds && (
          <AddPasskey
            cancel={() => setAdds(false)}
            done={(made) => {
              setAdds(false)
              setCodes(made)
              reread()
            }}
          />
        )}
        {data?.total === 0 && !adds && (
          <Text c="dimmed">None yet. A passkey cannot be guessed, nor typed into a false page.</Text>
        )}
        {data && data.total > 0 && (
          <Stack gap={10} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
            {data.items.map((passkey) => (
              <Group key={passkey.id} component="li" justify="space-between" wrap="nowrap" gap={12}>
                <div style={{ minWidth: 0 }}>
                  <Group gap={8} wrap="nowrap">
                    <Text truncate>{passkey.name}</Text>
                    {passkey.isSynced && (
                      <Badge variant="default" size="xs">
                        Synced
                      </Badge>
                    )}
                  </Group>
                  <Text c="dimmed" fz="xs">
                    Since {moment(passkey.createdAt)},{' '}
                    {passkey.lastUsedAt ? `used ${ago(passkey.lastUsedAt)}` : 'not used yet'}
                  </Text>
                </div>
                <Button
                  size="xs"
                  variant="default"
                  style={{ flex: 'none' }}
                  aria-label={`Remove ${passkey.name}`}
                  onClick={() => setGone(passkey)}
                >
                  Remove…
                </Button>
              </Group>
            ))}
          </Stack>
        )}
      </Stack>
      {gone && <RemovePasskey passkey={gone} close={() => setGone(undefined)} />}
    </Section>
  )
}

function RemovePasskey({ passkey: { id, name }, close }: { passkey: Passkey; close: () => void }) {
  const form = useCallForm(passkeysApi.remove, {
    initial: { password: '' },
    fixed: { id },
    labels: { password: 'Your password' },
    onDone: () => {
      reread()
      toast.warning(`${name} is removed`, 'It no longer signs in.')
      close()
    },
  })
  return (
    <FormModal opened close={close} title={`Remove ${name}?`} save="Remove" form={form} nothing="It still signs in.">
      <Stack gap={8}>
        <Text>Whoever has the device can no longer sign in with it.</Text>
        <PasswordInput
          label="Your password"
          description="Leave it empty if you sign in by an identity provider only"
          autoComplete="current-password"
          data-autofocus
          {...form.text('password')}
        />
      </Stack>
    </FormModal>
  )
}
