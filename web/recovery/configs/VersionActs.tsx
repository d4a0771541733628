import type { ConfigVersion } from '@innkeeper/contract/recovery/configs/shapes'
import { IconTrash } from '@tabler/icons-react'
import { useReason } from '../../kit/access/reasons.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { removeVersion } from './acts.ts'
import { configsApi } from './api.ts'

/** Actions on a version, for its row and page. */
export function VersionActs({ version, onRemoved }: { version: ConfigVersion; onRemoved?: () => void }) {
  const lacks = useReason()(configsApi.remove)
  const newest = version.current && !version.serverRemoved ? 'The server has this version.' : undefined
  return (
    <MenuAction
      label="Delete version…"
      danger
      icon={<IconTrash size={15} />}
      reason={lacks ?? newest}
      onClick={() => void removeVersion(version).then((gone) => gone && onRemoved?.())}
    />
  )
}
