import type { Webhook } from '@innkeeper/contract/access/webhooks'
import { Menu } from '@mantine/core'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { succeeds } from '../../kit/api/attempt.ts'
import { confirmByName } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { webhooksApi } from './api.ts'

const ICON = 15

export function WebhookActs({ hook: { id, name, version, state } }: { hook: Webhook }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const isActive = state === 'active'
  const turn = async () => {
    const next = isActive ? 'paused' : 'active'
    if (await succeeds(() => webhooksApi.update({ id, version, state: next }), ['webhooks']))
      toast.success(`${name} is ${next}`, isActive ? 'Its messages wait.' : 'Waiting messages are sent now.')
  }
  const test = async () => {
    if (await succeeds(() => webhooksApi.test({ id }), ['webhooks'])) toast.success('A test message is on its way')
  }
  const remove = async () => {
    const sure = await confirmByName({
      title: `Delete ${name}?`,
      name,
      verb: 'Delete webhook',
      goes: [`The webhook ${name}`, 'Its messages, sent and waiting'],
      stays: 'The receiver hears of no further change.',
    })
    if (!sure) return
    if (!(await succeeds(() => webhooksApi.remove({ id, version }), ['webhooks']))) return
    toast.success(`${name} is deleted`)
    void navigate({ to: '/webhooks' })
  }
  return (
    <>
      <MenuAction
        label="Edit"
        icon={<IconPencil size={ICON} />}
        reason={lacking(webhooksApi.update)}
        onClick={() => void navigate({ to: '/webhooks/edit/$webhookId', params: { webhookId: String(id) } })}
      />
      <MenuAction
        label={isActive ? 'Pause' : 'Resume'}
        icon={isActive ? <IconPlayerPause size={ICON} /> : <IconPlayerPlay size={ICON} />}
        reason={lacking(webhooksApi.update)}
        onClick={() => void turn()}
      />
      <MenuAction
        label="Send test message"
        icon={<IconSend size={ICON} />}
        reason={lacking(webhooksApi.test) ?? (isActive ? undefined : 'The webhook is paused')}
        onClick={() => void test()}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={ICON} />}
        reason={lacking(webhooksApi.remove)}
        onClick={() => void remove()}
      />
    </>
  )
}
