import type { Zone } from '@innkeeper/contract/net/dns/calls'
import { Menu } from '@mantine/core'
import {
  IconDownload,
  IconForms,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTemplate,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt, succeeds } from '../../../kit/api/attempt.ts'
import { confirm, confirmByName } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { counted } from '../../../kit/look/format.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { dnsApi } from '../api.ts'
import { saveAs } from '../words.ts'

interface Props {
  zone: Zone
  /** Whether a name server serves zones; the list does not know. */
  served?: boolean
  onImport?: () => void
  onTemplate?: () => void
  onRemoved?: () => void
}
const touched = ['dns', 'workflows']
const NO_SERVER = 'There is no name server yet: add a server of type dns.'

/** Actions on a zone, for its row and its page. */
export function ZoneActs({ zone, served = true, onImport, onTemplate, onRemoved }: Props) {
  const lacking = useReason()
  const navigate = useNavigate()
  const { id, domain, active, version } = zone
  const sync = async () => {
    if (await attempt(() => dnsApi.sync({ zoneId: id }), touched)) toast.info(`${domain} is being compared`)
  }
  return (
    <>
      <MenuAction
        label="Export zone file"
        icon={<IconDownload size={15} />}
        onClick={() =>
          void attempt(() => dnsApi.exported({ id }), []).then((file) => file && saveAs(file.name, file.text))
        }
      />
      {onImport && (
        <MenuAction
          label="Add record by its fields"
          icon={<IconForms size={15} />}
          reason={lacking(dnsApi.updateRecords)}
          onClick={() => void navigate({ to: '/dns/zone/$id/create', params: { id: String(id) } })}
        />
      )}
      {onImport && (
        <MenuAction
          label="Import…"
          icon={<IconUpload size={15} />}
          reason={lacking(dnsApi.updateRecords)}
          onClick={onImport}
        />
      )}
      {onTemplate && (
        <MenuAction
          label="Save as template…"
          icon={<IconTemplate size={15} />}
          reason={lacking(dnsApi.addTemplate)}
          onClick={onTemplate}
        />
      )}
      <MenuAction
        label="Sync name servers"
        icon={<IconRefresh size={15} />}
        reason={lacking(dnsApi.sync) ?? (active ? (served ? undefined : NO_SERVER) : 'The zone is not active.')}
        onClick={() => void sync()}
      />
      <MenuAction
        label={active ? 'Deactivate…' : 'Activate'}
        icon={active ? <IconPlayerPause size={15} /> : <IconPlayerPlay size={15} />}
        reason={lacking(dnsApi.activate)}
        onClick={() => void turn(zone)}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(dnsApi.remove)}
        onClick={() => void remove({ id, domain, version, records: zone.records }, onRemoved)}
      />
    </>
  )
}

async function turn({ id, domain, active, version }: Zone): Promise<void> {
  const question = {
    title: `Deactivate ${domain}?`,
    text: 'Name servers stop serving the zone. Its records stay in Innkeeper, and the zone can be activated again.',
    verb: 'Deactivate',
    danger: true,
  }
  if (active && !(await confirm(question))) return
  const done = await attempt(() => dnsApi.activate({ id, active: !active, version }), touched)
  if (done) toast.success(active ? `${domain} is being withdrawn` : `${domain} is being sent to the name servers`)
}

async function remove(
  { id, domain, version, records }: Pick<Zone, 'id' | 'domain' | 'version' | 'records'>,
  onRemoved?: () => void,
): Promise<void> {
  const sure = await confirmByName({
    title: `Delete ${domain}?`,
    name: domain,
    verb: 'Delete zone',
    goes: [`The zone ${domain} with ${counted(records, ['record', 'records'])}`, 'Its answers on every name server'],
    stays: 'Its changes stay in the log. Export the zone first if you may need it again.',
  })
  if (!sure) return
  const done = await succeeds(() => dnsApi.remove({ zoneId: id, version }), touched)
  if (!done) return
  toast.success(`${domain} is deleted`)
  onRemoved?.()
}
