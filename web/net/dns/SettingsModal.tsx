import type { DnsSettings } from '@innkeeper/contract/net/dns/calls'
import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { TagsInputField } from '../../kit/form/TagsInputField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { serversApi } from '../../machines/servers/api.ts'
import { dnsApi } from './api.ts'

/** Primary server, and default name servers of new zones. */
export default function SettingsModal({ close }: { close: () => void }) {
  const { data } = useQuery(dnsApi.settings.query())
  return data ? <Filled settings={data} close={close} /> : null
}

function Filled({ settings, close }: { settings: DnsSettings; close: () => void }) {
  const lacking = useReason()
  const servers = useQuery({
    ...serversApi.list.query({ type: ['dns'], itemsPerPage: 200 }),
    enabled: !lacking(serversApi.list),
  })
  const form = useCallForm(dnsApi.updateSettings, {
    initial: {
      primaryServerId: settings.primaryServerId,
      nameServers: settings.nameServers,
      hostmaster: settings.hostmaster,
    },
    fixed: { version: settings.version },
    labels: { primaryServerId: 'Primary', nameServers: 'Name servers', hostmaster: 'Hostmaster' },
    onDone: () => {
      void readAgain(['dns'])
      toast.success('The settings are saved', 'With another primary, every zone moves there with its keys.')
      close()
    },
  })
  const primary = form.field('primaryServerId')
  const options = (servers.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const current =
    settings.primaryServerId === null
      ? []
      : [{ value: String(settings.primaryServerId), label: `Server ${settings.primaryServerId}` }]
  const known = options.some(({ value }) => value === current[0]?.value)
  return (
    <FormModal opened close={close} title="Name servers" save="Save settings" form={form} nothing="Nothing was saved.">
      <Select
        label="Primary"
        description="Zones are written there; the others fetch them. None chosen: the oldest name server"
        data={known ? options : [...current, ...options]}
        clearable
        value={primary.value === null ? null : String(primary.value)}
        onChange={(id) => primary.onChange(id === null ? null : Number(id))}
        error={primary.error}
      />
      <TagsInputField
        label="Names of the name servers"
        description="NS records of new zones; every SOA record names the first"
        {...form.field('nameServers')}
      />
      <TextInput
        label="Hostmaster"
        description="The mailbox in every SOA record, such as hostmaster@example.org"
        autoComplete="off"
        {...form.text('hostmaster')}
      />
    </FormModal>
  )
}
