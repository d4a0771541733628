import type { Item } from '@innkeeper/contract/desk/trackers/shapes'
import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Menu } from '@mantine/core'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm, infoDialog } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { apiOf, hintOf } from './api.ts'
import { words } from './trackerInfo.ts'
import { useChoices } from './useFilters.ts'

interface Props {
  tracker: Tracker
  rows: Item[]
  clear: () => void
}
type Set = Omit<Parameters<ReturnType<typeof apiOf>['bulk']>[0], 'ids'>

/** Changes of the selected rows. Names the rows that were left out, with the reason. */
export function BulkActs({ tracker, rows, clear }: Props) {
  const api = apiOf(tracker)
  const choices = useChoices(tracker)
  const lacking = useReason()
  const { one, many } = words[tracker]
  const run = async (set: Set) => {
    const ids = rows.map(({ id }) => id)
    const done = await attempt(() => api.bulk({ ids, ...set }), [hintOf[tracker]])
    if (!done) return
    clear()
    if (done.skipped.length)
      void infoDialog([
        `${counted(done.changed, [one, many])} changed. Left out:`,
        ...done.skipped.map(({ key, reason }) => `${key}: ${reason}`),
      ])
    else toast.success(`${counted(done.changed, [one, many])} changed`)
  }
  const remove = async () => {
    const sure = await confirm({
      title: `Delete ${counted(rows.length, [one, many])}?`,
      text: 'Deleted items can be restored: filter by Deleted.',
      verb: 'Delete',
      danger: true,
    })
    if (sure) await run({ act: 'delete' })
  }
  const chooser = (label: string, list: readonly { id: number; name: string }[] = [], set: (id: number) => Set) => (
    <Menu position="top-start">
      <Menu.Target>
        <ActButton size="xs" variant="default" reason={lacking(api.bulk)}>
          {label}
        </ActButton>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {list.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => void run(set(id))}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
  return (
    <>
      {chooser('Status', choices?.statuses, (statusId) => ({ statusId }))}
      {chooser('Priority', choices?.priorities, (priorityId) => ({ priorityId }))}
      {chooser('Assignee', choices?.people, (assigneeId) => ({ assigneeId }))}
      {tracker !== 'ticket' && (
        <ActButton
          size="xs"
          variant="default"
          reason={lacking(api.archiveItem)}
          onClick={() => void run({ act: 'archive' })}
        >
          Archive
        </ActButton>
      )}
      <ActButton size="xs" color="error" reason={lacking(api.remove)} onClick={() => void remove()}>
        Delete
      </ActButton>
    </>
  )
}
