import type { OwnBackup, OwnPlan } from '@innkeeper/contract/recovery/backups/own'
import { Group, Switch, Text } from '@mantine/core'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { bytes, count, moment } from '../../kit/look/format.ts'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { domains } from './acts.ts'
import { backupsApi } from './api.ts'
import { KeepField } from './KeepField.tsx'
import { BackupServerField } from './ServerField.tsx'
import { WhenField } from './WhenField.tsx'
import { stateOfRun, usualKeep } from './words.ts'

interface Props {
  plan: OwnPlan | null
  items: OwnBackup[]
  close: () => void
}

/** The schedule of backups of Innkeeper itself, with the latest backups. */
export default function OwnModal({ plan, items, close }: Props) {
  const lacking = useReason()
  const form = useCallForm(backupsApi.planOwn, {
    initial: {
      backupServerId: plan?.backupServerId,
      when: plan?.when ?? { every: 'day' as const, at: '01:30', weekday: 1, day: 1 },
      keep: plan?.keep ?? usualKeep,
      enabled: plan?.enabled ?? true,
    },
    ...(plan && { fixed: { version: plan.version } }),
    labels: { backupServerId: 'Backup server' },
    onDone: () => {
      void readAgain(domains)
      toast.info('The backup of Innkeeper itself is saved')
      close()
    },
  })
  const chosen = form.values.backupServerId
  const run = async () => {
    const begun = await attempt(() => backupsApi.runOwn({ ...(chosen && { backupServerId: chosen }) }), domains)
    if (begun)
      toast.info('Backing up Innkeeper itself', 'The backup is then restored into a scratch database and compared.')
  }
  const end = async () => {
    const question = {
      title: 'End the schedule of Innkeeper itself?',
      text: 'Its backups stay.',
      verb: 'End schedule',
      danger: true,
    }
    if (!plan || !(await confirm(question))) return
    await attempt(() => backupsApi.endOwnPlan({ version: plan.version }), domains)
    close()
  }
  const { value, onChange, onBlur, error } = form.field('backupServerId')
  return (
    <FormModal
      opened
      close={close}
      title="Backup of Innkeeper itself"
      save="Save schedule"
      size={620}
      form={form}
      nothing="Nothing was saved."
    >
      <Text fz="sm">
        The database of Innkeeper, in the repository <b>innkeeper</b> of a backup server or a bucket. Each backup is
        fetched, restored into a scratch database and compared. Keep INNKEEPER_KEY and the password of the repository
        outside of Innkeeper: without them nobody can restore a backup. Uploaded files are not included.
      </Text>
      <BackupServerField
        required
        value={value}
        valueName={plan?.backupServerName}
        onChange={onChange}
        onBlur={onBlur}
        error={error}
      />
      <Switch
        label="By a schedule"
        checked={form.values.enabled}
        onChange={(event) => form.field('enabled').onChange(event.currentTarget.checked)}
      />
      <WhenField value={form.values.when} onChange={form.field('when').onChange} />
      <KeepField value={form.values.keep} onChange={form.field('keep').onChange} />
      <SectionTable
        label="Backups of Innkeeper itself"
        rows={items.slice(0, 6)}
        keyOf={({ id }) => id}
        empty={<Text c="dimmed">None yet.</Text>}
        columns={[
          { title: 'Begun', cell: ({ startedAt }) => moment(startedAt) },
          {
            title: 'Status',
            width: 100,
            cell: ({ status, error: why }) => (
              <span title={why ?? undefined}>
                <StatusBadge state={stateOfRun(status)} />
              </span>
            ),
          },
          { title: 'Rows', align: 'right', width: 90, cell: ({ rows }) => (rows === null ? '–' : count(rows)) },
          { title: 'Size', align: 'right', width: 90, cell: ({ bytes: n }) => (n === null ? '–' : bytes(n)) },
          { title: 'Proven', cell: ({ provenAt }) => (provenAt ? moment(provenAt) : 'no') },
        ]}
      />
      <Group gap={8}>
        <ActButton variant="default" reason={lacking(backupsApi.runOwn)} onClick={() => void run()}>
          Back up now
        </ActButton>
        {plan && (
          <ActButton variant="default" reason={lacking(backupsApi.endOwnPlan)} onClick={() => void end()}>
            End schedule…
          </ActButton>
        )}
      </Group>
    </FormModal>
  )
}
