import type { DnsRecord, ZoneView } from '@innkeeper/contract/net/dns/calls'
import { Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { dnsApi } from '../api.ts'
import { Diff } from '../Diff.tsx'
import { templated } from './template.ts'

const MOST = 200

/** Saves the records of a zone as a template, with placeholders for its name and address. */
export default function TemplateModal({ zone, close }: { zone: ZoneView; close: () => void }) {
  const { data } = useQuery(dnsApi.records.query({ zoneId: zone.id, itemsPerPage: MOST }))
  if (!data) return null
  return <Filled zone={zone} records={data.items} close={close} />
}

function Filled({ zone, records, close }: { zone: ZoneView; records: DnsRecord[]; close: () => void }) {
  const made = templated(records, zone.domain)
  const form = useCallForm(dnsApi.addTemplate, {
    initial: { name: '' },
    fixed: { records: made },
    labels: { name: 'Name' },
    onDone: ({ name }) => {
      void readAgain(['dns'])
      toast.success(`${name} is saved`, 'New zones can begin with it.')
      close()
    },
  })
  const lines = made.map(
    ({ name, type, ttl, priority, content }) =>
      `+ ${name} ${ttl} ${type} ${priority === null ? '' : `${priority} `}${content}`,
  )
  return (
    <FormModal
      opened
      close={close}
      title="Save as template"
      save="Save template"
      form={form}
      nothing="Nothing was saved."
    >
      <TextInput label="Name" data-autofocus autoComplete="off" {...form.text('name')} />
      <Text c="dimmed">
        {'{domain}'} and {'{address}'} are filled in when a zone is added.
      </Text>
      <Diff lines={lines} label="Records of the template" />
    </FormModal>
  )
}
