import type { Group } from '@innkeeper/contract/hosting/groups'
import { Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { counted, moment } from '../../../kit/look/format.ts'
import { movesApi } from '../api.ts'
import { MoveWizard } from '../wizard/MoveWizard.tsx'

/** Starts the move of a group: its websites on one server, one after another. */
export default function MoveGroup({ group, close }: { group: Group; close: () => void }) {
  const navigate = useNavigate()
  const form = useCallForm(movesApi.group, {
    initial: {
      originServerSource: group.servers[0]?.id,
      originServerTarget: undefined as number | undefined,
      soakHours: 24,
      withCopies: true,
      beginsAt: undefined as string | undefined,
    },
    fixed: { id: group.id },
    labels: { originServerTarget: 'Server', originServerSource: 'From', beginsAt: 'Begin' },
    onDone: (move) => {
      void readAgain(['moves', 'websites', 'groups', 'workflows'])
      toast.info(
        move.beginsAt
          ? `The group of ${group.mainDomain} moves to ${move.targetServerName} ${moment(move.beginsAt)}`
          : `${counted(move.count, ['website moves', 'websites move'])} to ${move.targetServerName}`,
      )
      close()
      void navigate({ to: '/website-migrations/$id', params: { id: String(move.id) } })
    },
  })
  const from = form.field('originServerSource')
  return (
    <MoveWizard
      title={`Move the group of ${group.mainDomain}`}
      websiteId={group.mainWebsite}
      group
      from={from.value}
      target={form.field('originServerTarget')}
      soak={form.field('soakHours')}
      copies={form.field('withCopies')}
      begins={form.field('beginsAt')}
      form={form}
      close={close}
    >
      {group.servers.length > 1 && (
        <Select
          label="From"
          description="Its websites on this server move"
          allowDeselect={false}
          data={group.servers.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(from.value)}
          onChange={(id) => from.onChange(Number(id))}
          error={from.error}
        />
      )}
    </MoveWizard>
  )
}
