import type { BackupServer } from '@innkeeper/contract/recovery/backups/shapes'
import type { When } from '@innkeeper/contract/recovery/backups/when'
import { Button, Group, Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import { readAgain } from '../../kit/api/readAgain.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { FormNotes } from '../../kit/form/FormNotes.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { domains } from './acts.ts'
import { backupsApi } from './api.ts'
import { KeepField } from './KeepField.tsx'
import { MachineField } from './MachineField.tsx'
import { WhenField } from './WhenField.tsx'

const nightly: When = { every: 'day', at: '05:00', weekday: 1, day: 1 }
const weekly: When = { every: 'week', at: '06:00', weekday: 7, day: 1 }

/** Edits the keep policy of a backup server, and its schedules of forgets, prunes and drills. */
export default function MaintenanceModal({ server, close }: { server: BackupServer; close: () => void }) {
  const [drills, setDrills] = useState<boolean>()
  const form = useCallForm(backupsApi.updateServer, {
    initial: {
      ...{ keep: server.keep, drillServerId: server.drillServerId },
      ...{ forget: server.forget, prune: server.prune },
    },
    fixed: { id: server.id, version: server.version },
    labels: { keep: 'What is kept', drillServerId: 'Machine of drills', forget: 'Forget', prune: 'Prune' },
    onMerged: () => setDrills(undefined),
    // two schedules have calls of their own
    send: async ({ id, version, ...input }) => {
      const { keep, drillServerId } = input
      let saved = await backupsApi.updateServer({ id, version, keep, drillServerId })
      const { forget, prune } = form.values
      if (form.differs('forget')) saved = await backupsApi.scheduleForget({ id, backupServerId: id, when: forget })
      if (form.differs('prune')) saved = await backupsApi.schedulePrune({ id, backupServerId: id, when: prune })
      return saved
    },
    onDone: () => {
      void readAgain(domains)
      close()
    },
  })
  const { keep, forget, prune, drillServerId } = form.values
  const drilled = drills ?? drillServerId !== null
  return (
    <Dialog opened onClose={close} title={`Look after ${server.name}`} size={560}>
      <Stack gap={18}>
        <FormNotes form={form} nothing="Nothing was saved." />
        <KeepField value={keep} onChange={form.field('keep').onChange} />
        <Switch
          label="Forget by a schedule"
          checked={forget !== null}
          onChange={(event) => form.set('forget', event.currentTarget.checked ? nightly : null)}
        />
        {forget && <WhenField value={forget} onChange={(next) => form.set('forget', next)} />}
        <Switch
          label="Prune by a schedule"
          checked={prune !== null}
          onChange={(event) => form.set('prune', event.currentTarget.checked ? weekly : null)}
        />
        {prune && <WhenField value={prune} onChange={(next) => form.set('prune', next)} />}
        <Switch
          label="Drills on a machine with PHP and MariaDB"
          description="A drill then also loads the databases and requests the page, without a network; otherwise it compares files."
          checked={drilled}
          onChange={(event) => {
            setDrills(event.currentTarget.checked)
            if (!event.currentTarget.checked) form.set('drillServerId', null)
          }}
        />
        {drilled && (
          <MachineField
            value={drillServerId ?? undefined}
            onChange={(next) => form.set('drillServerId', next ?? null)}
            onBlur={() => undefined}
          />
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button loading={form.busy} onClick={() => void form.save()}>
            Save
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
