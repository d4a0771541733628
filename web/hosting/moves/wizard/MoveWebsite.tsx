import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { moment } from '../../../kit/look/format.ts'
import { movesApi } from '../api.ts'
import { MoveWizard } from './MoveWizard.tsx'

interface Props {
  website: WebsiteRow
  close: () => void
}

/** Starts the move of one website and opens its page. */
export default function MoveWebsite({ website: { id, domain, serverId }, close }: Props) {
  const navigate = useNavigate()
  const form = useCallForm(movesApi.create, {
    initial: {
      targetServerId: undefined as number | undefined,
      targetAccountId: undefined as number | undefined,
      soakHours: 24,
      withCopies: true,
      beginsAt: undefined as string | undefined,
    },
    fixed: { id, sourceServerId: serverId },
    labels: { targetServerId: 'Server', targetAccountId: 'Account', beginsAt: 'Begin' },
    onDone: (move) => {
      void readAgain(['moves', 'websites', 'workflows'])
      toast.info(
        move.beginsAt
          ? `${domain} moves to ${move.targetServerName} ${moment(move.beginsAt)}`
          : `${domain} moves to ${move.targetServerName}`,
      )
      close()
      void navigate({ to: '/website-migrations/$id', params: { id: String(move.id) } })
    },
  })
  return (
    <MoveWizard
      title={`Move ${domain}`}
      websiteId={id}
      from={serverId}
      target={form.field('targetServerId')}
      account={form.field('targetAccountId')}
      soak={form.field('soakHours')}
      copies={form.field('withCopies')}
      begins={form.field('beginsAt')}
      form={form}
      close={close}
    />
  )
}
