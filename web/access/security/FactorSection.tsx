import { Button, Group, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../../kit/api/queries.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { type TextProps, useCallForm } from '../../kit/form/useCallForm.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { count, moment } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { secondFactorApi } from './api.ts'
import { BackupCodes } from './BackupCodes.tsx'
import { SetUpFactor } from './SetUpFactor.tsx'

const reread = () => void queryClient.invalidateQueries({ queryKey: secondFactorApi.read.key })

/** The signed-in person's second factor: on, off, and backup codes. */
export function FactorSection() {
  const { data, error, isPending } = useQuery(secondFactorApi.read.query())
  const [step, setStep] = useState<'set-up' | 'turn-off' | 'codes'>()
  const [codes, setCodes] = useState<string[]>()
  const close = () => setStep(undefined)
  const show = (made: string[]) => {
    close()
    setCodes(made)
    reread()
  }
  return (
    <Section title="Second factor" hint="a code from your phone beside the password">
      {isPending && <Skeleton h={60} />}
      {error && <Text c="error">{error.message}</Text>}
      {codes && <BackupCodes codes={codes} done={() => setCodes(undefined)} />}
      {!codes && step === 'set-up' && <SetUpFactor done={show} cancel={close} />}
      {data && !codes && step !== 'set-up' && (
        <Group justify="space-between" gap={12}>
          <div>
            <StatusBadge state={data.enabled ? 'active' : 'none'} label={data.enabled ? 'On' : 'Off'} />
            <Text c="dimmed" fz="xs" mt={2}>
              {data.since
                ? `Since ${moment(data.since)}, ${count(data.backupCodesLeft)} backup codes left`
                : 'Anybody who learns your password can sign in.'}
            </Text>
          </div>
          {data.enabled ? (
            <Group gap={8}>
              <Button size="xs" variant="default" onClick={() => setStep('codes')}>
                New backup codes…
              </Button>
              {!data.required && (
                <Button size="xs" variant="default" onClick={() => setStep('turn-off')}>
                  Turn off…
                </Button>
              )}
            </Group>
          ) : (
            <Button variant="default" onClick={() => setStep('set-up')}>
              Set up
            </Button>
          )}
        </Group>
      )}
      {data?.required && !codes && (
        <Text c="dimmed" fz="xs" mt={8}>
          Your role requires it.
        </Text>
      )}
      {step === 'turn-off' && <TurnOff close={close} />}
      {step === 'codes' && <NewCodes close={close} show={show} />}
    </Section>
  )
}

/** Password and code, which a stolen session lacks. */
function Proof({ password, code }: { password: TextProps; code: TextProps }) {
  return (
    <>
      <PasswordInput label="Your password" autoComplete="current-password" data-autofocus {...password} />
      <TextInput
        label="Code"
        description="The six digits of your authenticator, or a backup code"
        autoComplete="one-time-code"
        {...code}
      />
    </>
  )
}

function TurnOff({ close }: { close: () => void }) {
  const form = useCallForm(secondFactorApi.remove, {
    initial: { password: '', code: '' },
    labels: { password: 'Your password', code: 'Code' },
    onDone: () => {
      reread()
      toast.warning('Your second factor is off', 'You now sign in with your password only.')
      close()
    },
  })
  return (
    <FormModal
      opened
      close={close}
      title="Turn your second factor off?"
      save="Turn off"
      form={form}
      nothing="It is still on."
    >
      <Stack gap={8}>
        <Text>Your backup codes stop working too.</Text>
        <Proof password={form.text('password')} code={form.text('code')} />
      </Stack>
    </FormModal>
  )
}

function NewCodes({ close, show }: { close: () => void; show: (codes: string[]) => void }) {
  const form = useCallForm(secondFactorApi.backupCodes, {
    initial: { password: '', code: '' },
    labels: { password: 'Your password', code: 'Code' },
    onDone: ({ backupCodes }) => show(backupCodes),
  })
  return (
    <FormModal
      opened
      close={close}
      title="Make new backup codes?"
      save="Make codes"
      form={form}
      nothing="The old codes still work."
    >
      <Stack gap={8}>
        <Text>Your present codes stop working.</Text>
        <Proof password={form.text('password')} code={form.text('code')} />
      </Stack>
    </FormModal>
  )
}
