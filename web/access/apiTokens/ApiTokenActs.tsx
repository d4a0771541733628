import type { ApiToken } from '@innkeeper/contract/access/apiTokens'
import { Menu } from '@mantine/core'
import { IconRefresh, IconTrash } from '@tabler/icons-react'
import { useReason } from '../../kit/access/reasons.ts'
import { useSession } from '../../kit/access/session.ts'
import { succeeds } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { apiTokensApi } from './api.ts'

export function ApiTokenActs({ token, rotate }: { token: ApiToken; rotate: (token: ApiToken) => void }) {
  const lacking = useReason()
  const me = useSession()
  const { id, name, userId, isService, state } = token
  const isMine = userId === me.id
  const ended = state === 'valid' ? undefined : `The token is ${state}`
  const foreign = isService ? lacking('api:service-account:update') : 'Only its owner gives it a new value'
  const revoke = async () => {
    const sure = await confirm({
      title: `Revoke ${name}?`,
      text: 'Programs that use it are refused at once. A revoked token cannot be used again.',
      verb: 'Revoke token',
      danger: true,
    })
    if (!sure) return
    if (await succeeds(() => apiTokensApi.revoke({ id }), ['apiTokens'])) toast.success(`${name} is revoked`)
  }
  return (
    <>
      <MenuAction
        label="Rotate…"
        icon={<IconRefresh size={15} />}
        reason={ended ?? lacking(apiTokensApi.rotate) ?? (isMine ? undefined : foreign)}
        onClick={() => rotate(token)}
      />
      <Menu.Divider />
      <MenuAction
        label="Revoke…"
        danger
        icon={<IconTrash size={15} />}
        reason={state === 'revoked' ? ended : isMine ? undefined : lacking('api:token:revoke')}
        onClick={() => void revoke()}
      />
    </>
  )
}
