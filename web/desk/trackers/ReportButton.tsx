import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { bugsApi } from './api.ts'
import { itemPath } from './trackerInfo.ts'

/** Reports a bug about a failed action, with its output in the description. */
export default function ReportButton({ actionId }: { actionId: number }) {
  const navigate = useNavigate()
  const reason = useReason()(bugsApi.fromAction)
  const { busy, run } = useAct()
  const report = async () => {
    const { id, key } = await bugsApi.fromAction({ actionId })
    toast.success(`${key} is created`)
    await navigate({ to: itemPath('bug', id) })
  }
  return (
    <ActButton
      size="xs"
      variant="subtle"
      color="secondary"
      mt={6}
      reason={reason}
      loading={busy}
      onClick={() => void run(report)}
    >
      Report a bug
    </ActButton>
  )
}
