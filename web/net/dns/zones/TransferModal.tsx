import { type TransferredZone, transferAlgorithms } from '@innkeeper/contract/net/dns/transfer'
import { Select, Text, TextInput } from '@mantine/core'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import { PasswordField } from '../../../kit/form/PasswordField.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { dnsApi } from '../api.ts'

interface Props {
  domain: string
  done: (zone: TransferredZone, domain: string) => void
  close: () => void
}

/** Reads a zone from the name server that has it until now. */
export default function TransferModal({ domain, done, close }: Props) {
  const form = useCallForm(dnsApi.transfer, {
    initial: { domain, host: '', port: 53, keyName: '', algorithm: 'hmac-sha256' as const, secret: '' },
    labels: { domain: 'Domain', host: 'Name server', port: 'Port', keyName: 'Name of the key', secret: 'Key' },
    onDone: (zone) => {
      done(zone, form.values.domain)
      close()
    },
  })
  const port = form.field('port')
  const algorithm = form.field('algorithm')
  return (
    <FormModal opened close={close} title="Read a zone" save="Read zone" form={form} nothing="Nothing was read.">
      <Text c="dimmed" fz="xs">
        By zone transfer (AXFR). The other name server has to allow the address of Innkeeper, or a key.
      </Text>
      <TextInput label="Domain" autoComplete="off" {...form.text('domain')} />
      <TextInput label="Name server" placeholder="ns1.old.example" autoComplete="off" {...form.text('host')} />
      <NumberField label="Port" min={1} max={65_535} {...port} onChange={(value) => port.onChange(Number(value))} />
      <TextInput
        label="Name of the key"
        description="TSIG, only if the name server wants one"
        autoComplete="off"
        {...form.text('keyName')}
      />
      {form.values.keyName.trim() !== '' && (
        <>
          <Select
            label="Algorithm"
            allowDeselect={false}
            data={[...transferAlgorithms]}
            {...algorithm}
            onChange={(value) => algorithm.onChange((value ?? 'hmac-sha256') as typeof algorithm.value)}
          />
          <PasswordField label="Key" description="In base64; Innkeeper does not keep it" {...form.field('secret')} />
        </>
      )}
    </FormModal>
  )
}
