import type { ItemPage } from '@innkeeper/contract/desk/trackers/shapes'
import { closed, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Menu } from '@mantine/core'
import { IconArchive, IconEye, IconEyeOff, IconTrash } from '@tabler/icons-react'
import { useReason } from '../../kit/access/reasons.ts'
import { useSession } from '../../kit/access/session.ts'
import { succeeds } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { apiOf, hintOf } from './api.ts'

/** Further actions on an item, in the menu of its page. */
export function ItemActs({ tracker, item }: { tracker: Tracker; item: ItemPage }) {
  const api = apiOf(tracker)
  const lacking = useReason()
  const { id: userId } = useSession()
  const { id, version, key, status } = item
  const watches = item.watchers.some((one) => one.id === userId)
  const run = (act: () => Promise<unknown>) => succeeds(act, [hintOf[tracker]])
  const remove = async () => {
    const sure = await confirm({
      title: `Delete ${key}?`,
      text: 'A deleted item can be restored: filter the list by Deleted.',
      verb: 'Delete',
      danger: true,
    })
    if (sure && (await run(() => api.remove({ id, version }))))
      toast.success(`${key} is deleted`, undefined, { undo: () => run(() => api.restore({ id })) })
  }
  const open = closed.includes(status.group)
    ? undefined
    : `${key} is ${status.name}: only closed items can be archived.`
  return (
    <>
      <MenuAction
        label={watches ? 'Stop watching' : 'Watch'}
        icon={watches ? <IconEyeOff size={15} /> : <IconEye size={15} />}
        onClick={() => void run(() => (watches ? api.unwatch({ id }) : api.watch({ id })))}
      />
      {!item.archivedAt && (
        <MenuAction
          label="Archive"
          icon={<IconArchive size={15} />}
          reason={lacking(api.archiveItem) ?? open}
          onClick={() => void run(() => api.archiveItem({ id, version }))}
        />
      )}
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(api.remove)}
        onClick={() => void remove()}
      />
    </>
  )
}
