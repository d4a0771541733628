import type { IpSet } from '@innkeeper/contract/machines/ipsets/shapes'
import { Menu } from '@mantine/core'
import { IconRefresh, IconTrash, IconUpload } from '@tabler/icons-react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt, succeeds } from '../../kit/api/attempt.ts'
import { confirmByName } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { counted } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { ipsetsApi } from './api.ts'
import { placeOf, servers } from './words.ts'

interface Props {
  set: IpSet
  onImport?: () => void
  onRemoved?: () => void
}
export const touched = ['ipsets', 'workflows']

/** Actions on a set, for its row and page. */
export function SetActs({ set, onImport, onRemoved }: Props) {
  const lacking = useReason()
  return (
    <>
      {onImport && (
        <MenuAction
          label="Import bans…"
          icon={<IconUpload size={15} />}
          reason={lacking(ipsetsApi.bring)}
          onClick={onImport}
        />
      )}
      <MenuAction
        label="Compare and repair"
        icon={<IconRefresh size={15} />}
        reason={lacking(ipsetsApi.sync)}
        onClick={() => void compare(set.name)}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(ipsetsApi.remove)}
        onClick={() => void remove(set, onRemoved)}
      />
    </>
  )
}

/** Compares a set with one server, or with all of its servers. */
export async function compare(set: string, serverId?: number): Promise<void> {
  const started = await attempt(() => ipsetsApi.sync({ set, ...(serverId !== undefined && { serverId }) }), touched)
  if (!started) return
  if (started.servers)
    toast.info(`${set} is being compared`, `On ${servers(started.servers)}. Differing sets are sent again.`)
  else
    toast.info('There is nothing to compare yet', 'The set has not been sent to any server yet, or is being sent now.')
}

async function remove(set: IpSet, onRemoved?: () => void): Promise<void> {
  const { name, version, bans } = set
  const sure = await confirmByName({
    title: `Delete ${name}?`,
    name,
    verb: 'Delete IP set',
    goes: [`The set ${name} with ${counted(bans, ['ban', 'bans'])}`, `What it drops on ${placeOf(set)}`],
    stays: 'The log keeps its bans with reasons and authors.',
  })
  if (!sure) return
  const done = await succeeds(() => ipsetsApi.remove({ id: name, version }), touched)
  if (!done) return
  toast.success(`${name} is deleted`)
  onRemoved?.()
}
