import type { Membership } from '@innkeeper/contract/quality/dossiers/shapes'
import { Menu } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { membershipsApi } from '../api.ts'

export function MembershipActs({ membership, edit }: { membership: Membership; edit: (one: Membership) => void }) {
  const lacking = useReason()
  const { id, version, user, team } = membership
  const remove = async () => {
    const sure = await confirm({
      title: `Delete the membership of ${user.name} in ${team.name}?`,
      text: 'The membership is removed from the history too. To end a membership, give it a last day.',
      verb: 'Delete membership',
      danger: true,
    })
    if (sure) await attempt(() => membershipsApi.removeMembership({ id, version }), ['dossiers', 'dossierFeedback'])
  }
  return (
    <>
      <MenuAction
        label="Change…"
        icon={<IconPencil size={15} />}
        reason={lacking(membershipsApi.updateMembership)}
        onClick={() => edit(membership)}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(membershipsApi.removeMembership)}
        onClick={() => void remove()}
      />
    </>
  )
}
