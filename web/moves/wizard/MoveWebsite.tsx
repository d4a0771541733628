import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import type { SiteFormProps } from '../../websites/page/acts.ts'
import { movesApi } from '../api.ts'
import { MoveWizard } from './MoveWizard.tsx'

/** Starts the move of one website and opens its page. */
export default function MoveWebsite({ website: { id, domain, serverId }, close }: SiteFormProps) {
  const navigate = useNavigate()
  const form = useCallForm(movesApi.create, {
    initial: {
      targetServerId: undefined as number | undefined,
      targetAccountId: undefined as number | undefined,
      soakHours: 24,
    },
    fixed: { id, sourceServerId: serverId },
    labels: { targetServerId: 'Server', targetAccountId: 'Account' },
    onDone: (move) => {
      void readAgain(['moves', 'websites', 'workflows'])
      toast.info(`${domain} moves to ${move.targetServerName}`)
      close()
      void navigate({ to: '/website-migrations/$id', params: { id: String(move.id) } })
    },
  })
  return (
    <MoveWizard
      title={`Move ${domain}`}
      websiteId={id}
      target={form.field('targetServerId')}
      account={form.field('targetAccountId')}
      soak={form.field('soakHours')}
      form={form}
      close={close}
    />
  )
}
