import type { BackupServer } from '@innkeeper/contract/backups/shapes'
import type { When } from '@innkeeper/contract/backups/when'
import { Button, Group, Modal, Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import { attempt } from '../kit/api/attempt.ts'
import { domains } from './acts.ts'
import { backupsApi } from './api.ts'
import { KeepField } from './KeepField.tsx'
import { MachineField } from './MachineField.tsx'
import { WhenField } from './WhenField.tsx'

const nightly: When = { every: 'day', at: '05:00', weekday: 1, day: 1 }
const weekly: When = { every: 'week', at: '06:00', weekday: 7, day: 1 }

/** Edits the keep policy of a backup server, and its schedules of forgets, prunes and drills. */
export default function MaintenanceModal({ server, close }: { server: BackupServer; close: () => void }) {
  const [keep, setKeep] = useState(server.keep)
  const [forget, setForget] = useState(server.forget)
  const [prune, setPrune] = useState(server.prune)
  const [drills, setDrills] = useState(server.drillServerId !== null)
  const [machine, setMachine] = useState<number | undefined>(server.drillServerId ?? undefined)
  const [busy, setBusy] = useState(false)
  const { id, version } = server
  const drillServerId = drills ? (machine ?? null) : null
  const save = async () => {
    setBusy(true)
    const saved = await attempt(async () => {
      if (drillServerId !== server.drillServerId) await backupsApi.updateServer({ id, version, drillServerId })
      await backupsApi.scheduleForget({ id, backupServerId: id, when: forget, keep })
      return backupsApi.schedulePrune({ id, backupServerId: id, when: prune })
    }, domains)
    setBusy(false)
    if (saved) close()
  }
  return (
    <Modal opened onClose={close} title={`Look after ${server.name}`} size={560}>
      <Stack gap={18}>
        <KeepField value={keep} onChange={setKeep} />
        <Switch
          label="Forget by a schedule"
          checked={forget !== null}
          onChange={(event) => setForget(event.currentTarget.checked ? nightly : null)}
        />
        {forget && <WhenField value={forget} onChange={setForget} />}
        <Switch
          label="Prune by a schedule"
          checked={prune !== null}
          onChange={(event) => setPrune(event.currentTarget.checked ? weekly : null)}
        />
        {prune && <WhenField value={prune} onChange={setPrune} />}
        <Switch
          label="Drills on a machine with PHP and MariaDB"
          description="A drill then also loads the databases and requests the page, without a network; otherwise it compares files."
          checked={drills}
          onChange={(event) => setDrills(event.currentTarget.checked)}
        />
        {drills && <MachineField value={machine} onChange={setMachine} onBlur={() => undefined} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button loading={busy} onClick={() => void save()}>
            Save
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
