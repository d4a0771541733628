import { type IpSetView, MOST_BAN_TEXT } from '@innkeeper/contract/machines/ipsets/shapes'
import { Alert, Button, Group, List, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { readAgain } from '../../kit/api/readAgain.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { TextFileButton } from '../../kit/form/TextFileButton.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { counted } from '../../kit/look/format.ts'
import { ipsetsApi } from './api.ts'
import { touched } from './SetActs.tsx'
import { Until } from './Until.tsx'

type Brought = Awaited<ReturnType<typeof ipsetsApi.bring>>
const SHOWN = 12

/** Bans many addresses at once. Reports invalid lines and bans the others. */
export default function ImportModal({ set, close }: { set: IpSetView; close: () => void }) {
  const [brought, setBrought] = useState<Brought>()
  const form = useCallForm(ipsetsApi.bring, {
    initial: { text: '', reason: '', expiresAt: null as string | null },
    fixed: { set: set.name },
    labels: { text: 'Addresses', reason: 'Reason', expiresAt: 'Until' },
    onDone: (done) => {
      void readAgain(touched)
      setBrought(done)
    },
  })
  if (brought) return <Done brought={brought} close={close} />
  const until = form.field('expiresAt')
  return (
    <FormModal
      opened
      close={close}
      title={`Import into ${set.name}`}
      save="Ban all"
      form={form}
      nothing="Nothing was banned."
    >
      <div>
        <Textarea
          label="Addresses"
          description="One per line; text after # is ignored"
          placeholder={'198.51.100.7\n203.0.113.0/24'}
          autosize
          minRows={6}
          maxRows={12}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...form.text('text')}
        />
        <Group mt={6}>
          <TextFileButton most={MOST_BAN_TEXT} onText={(text) => form.set('text', text)} />
        </Group>
      </div>
      <TextInput label="Reason" description="Of all imported bans" autoComplete="off" {...form.text('reason')} />
      <Until value={until.value} onChange={until.onChange} error={until.error} />
    </FormModal>
  )
}

function Done({ brought: { banned, skipped, unsaid }, close }: { brought: Brought; close: () => void }) {
  const left = skipped.length + unsaid
  return (
    <Dialog opened onClose={close} title={`${counted(banned, ['address', 'addresses'])} banned`} size={480}>
      <Stack gap={14}>
        {left > 0 ? (
          <Alert color="warning" p="10px 14px" title={`${counted(left, ['line', 'lines'])} left out`}>
            <List spacing={2}>
              {skipped.slice(0, SHOWN).map(({ line, text, why }) => (
                <List.Item key={line}>
                  Line {line}, {text}: {why}
                </List.Item>
              ))}
              {left > SHOWN && <List.Item>and {left - SHOWN} more</List.Item>}
            </List>
          </Alert>
        ) : (
          <Text c="dimmed">Every line was imported.</Text>
        )}
        <Group justify="flex-end">
          <Button onClick={close}>Close</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
