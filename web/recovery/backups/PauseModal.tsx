import { TextInput } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { counted, moment } from '../../kit/look/format.ts'
import { domains } from './acts.ts'
import { backupsApi } from './api.ts'
import { MachineField } from './MachineField.tsx'

/** Stops every backup of a server for some hours. */
export default function PauseModal({ close }: { close: () => void }) {
  const initial: { serverId: number | undefined; hours: number; reason: string } = {
    ...{ serverId: undefined, hours: 4, reason: '' },
  }
  const form = useCallForm(backupsApi.pauseServer, {
    initial,
    labels: { serverId: 'Server' },
    onDone: ({ serverName, until, stopped }) => {
      void readAgain(domains)
      toast.info(
        `Nothing is backed up from ${serverName} until ${moment(until)}`,
        stopped ? `${counted(stopped, ['running backup', 'running backups'])} stopped.` : undefined,
      )
      close()
    },
  })
  const { required: _, ...server } = form.field('serverId')
  const hours = form.field('hours')
  return (
    <FormModal
      opened
      close={close}
      title="Pause backups of a server"
      save="Pause backups"
      form={form}
      nothing="Nothing was paused."
    >
      <MachineField {...server} />
      <NumberField
        label="For"
        description="Running backups stop, and start again after the pause; due backups wait"
        suffix=" hours"
        min={1}
        max={744}
        value={hours.value}
        error={hours.error}
        onChange={(n) => hours.onChange(Number(n) || 1)}
      />
      <TextInput label="Reason" autoComplete="off" {...form.text('reason')} />
    </FormModal>
  )
}
