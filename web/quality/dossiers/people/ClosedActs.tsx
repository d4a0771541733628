import type { DossierUser } from '@innkeeper/contract/quality/dossiers/shapes'
import { Menu } from '@mantine/core'
import { IconEraser, IconFolderOpen } from '@tabler/icons-react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { peopleApi, timelineApi } from '../api.ts'

interface Props {
  dossier: DossierUser
  erase: (dossier: DossierUser) => void
}

/** Actions on a closed dossier: open it again, or erase its texts. */
export function ClosedActs({ dossier, erase }: Props) {
  const { id, name, isGone, erasedAt } = dossier
  const lacking = useReason()
  const open = async () => {
    const made = await attempt(() => peopleApi.createUser({ userId: id }), ['dossiers'])
    if (made) toast.success(`The dossier of ${name} is open`)
  }
  return (
    <>
      <MenuAction
        label="Open again"
        icon={<IconFolderOpen size={15} />}
        reason={lacking(peopleApi.createUser) ?? (isGone ? 'The account was deleted' : undefined)}
        onClick={() => void open()}
      />
      <Menu.Divider />
      <MenuAction
        label="Erase texts…"
        danger
        icon={<IconEraser size={15} />}
        reason={lacking(timelineApi.erase) ?? (erasedAt ? 'Its texts are erased' : undefined)}
        onClick={() => erase(dossier)}
      />
    </>
  )
}
