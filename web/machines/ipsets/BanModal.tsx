import type { IpSetView } from '@innkeeper/contract/machines/ipsets/shapes'
import { Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { ipsetsApi } from './api.ts'
import { touched } from './SetActs.tsx'
import { Until } from './Until.tsx'
import { endOf, placeOf } from './words.ts'

/** Bans an address or network; shows objections during typing. */
export default function BanModal({ set, close }: { set: IpSetView; close: () => void }) {
  const form = useCallForm(ipsetsApi.ban, {
    initial: { ip: '', reason: '', expiresAt: null as string | null },
    fixed: { set: set.name },
    labels: { ip: 'Address', reason: 'Reason', expiresAt: 'Until' },
    onDone: (ban) => {
      void readAgain(touched)
      toast.success(`${ban.ip} is banned`, [`On ${placeOf(set)}, ${endOf(ban)}.`, ...ban.notes].join(' '))
      close()
    },
  })
  const [typed] = useDebouncedValue(form.values.ip.trim(), 250)
  const { data: judged } = useQuery({
    ...ipsetsApi.check.query({ set: set.name, ip: typed, expiresAt: form.values.expiresAt }),
    enabled: typed.length > 2,
    placeholderData: keepPreviousData,
  })
  const known = typed && typed === form.values.ip.trim() ? judged : undefined
  const ip = form.text('ip')
  const until = form.field('expiresAt')
  return (
    <FormModal
      opened
      close={close}
      title={`Ban on ${placeOf(set)}`}
      save="Ban address"
      form={form}
      nothing="Nothing was banned."
    >
      <TextInput
        label="Address or network"
        placeholder="198.51.100.7"
        data-autofocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...ip}
        error={ip.error ?? known?.problem ?? undefined}
      />
      {known && !known.problem && known.notes.length > 0 && (
        <Stack gap={2} mt={-8} aria-live="polite">
          {known.notes.map((note) => (
            <Text key={note} c="dimmed" fz="xs">
              {note}
            </Text>
          ))}
        </Stack>
      )}
      <TextInput label="Reason" description="For later readers" autoComplete="off" {...form.text('reason')} />
      <Until value={until.value} onChange={until.onChange} error={until.error} />
    </FormModal>
  )
}
