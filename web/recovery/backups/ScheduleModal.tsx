import type { Schedule } from '@innkeeper/contract/recovery/backups/shapes'
import type { BackupKind } from '@innkeeper/contract/recovery/backups/values'
import { SegmentedControl, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { WebsiteField } from '../../hosting/websites/WebsiteField.tsx'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { TagsInputField } from '../../kit/form/TagsInputField.tsx'
import { type FieldProps, useCallForm } from '../../kit/form/useCallForm.ts'
import { domains } from './acts.ts'
import { backupsApi } from './api.ts'
import { HoursField } from './HoursField.tsx'
import { KeepField } from './KeepField.tsx'
import { MachineField } from './MachineField.tsx'
import { BackupServerField } from './ServerField.tsx'
import { WhenField } from './WhenField.tsx'
import { kinds, usualKeep } from './words.ts'

interface Props {
  schedule: Schedule | undefined
  close: () => void
}

/** Creates or changes a schedule. */
export default function ScheduleModal({ schedule, close }: Props) {
  return schedule ? <Change schedule={schedule} close={close} /> : <Create close={close} />
}

const shared = (schedule?: Schedule) => ({
  name: schedule?.name ?? 'Nightly',
  backupServerId: schedule?.backupServerId,
  kind: schedule?.kind ?? ('full' as BackupKind),
  when: schedule?.when ?? { every: 'day' as const, at: '02:30', weekday: 1, day: 1 },
  spread: schedule?.spread ?? 60,
  keep: schedule?.keep ?? usualKeep,
  excludes: schedule?.excludes ?? [],
  hours: schedule?.hours ?? null,
  limit: schedule?.limit ?? null,
})

function Create({ close }: { close: () => void }) {
  const [all, setAll] = useState(false)
  const initial: ReturnType<typeof shared> & { websiteId: number | undefined; serverId: number | undefined } = {
    ...shared(),
    ...{ websiteId: undefined, serverId: undefined },
  }
  const form = useCallForm(backupsApi.createSchedule, {
    initial,
    labels: { backupServerId: 'Backup server' },
    onDone: ({ name }) => {
      void readAgain(domains)
      toast.info(`The schedule ${name} is saved`)
      close()
    },
  })
  const { required: _, ...website } = form.field('websiteId')
  const { required: __, ...server } = form.field('serverId')
  return (
    <FormModal
      opened
      close={close}
      title="Create schedule"
      save="Save schedule"
      size={600}
      form={form}
      nothing="Nothing was saved."
    >
      <SegmentedControl
        aria-label="For"
        data={[
          { value: 'one', label: 'One website' },
          { value: 'all', label: 'Every website of a server' },
        ]}
        value={all ? 'all' : 'one'}
        onChange={(next) => {
          setAll(next === 'all')
          website.onChange(undefined)
          server.onChange(undefined)
        }}
      />
      {all ? <MachineField {...server} /> : <WebsiteField {...website} />}
      <Shared
        fields={{
          name: form.field('name'),
          backupServerId: form.field('backupServerId'),
          kind: form.field('kind'),
          when: form.field('when'),
          spread: form.field('spread'),
          keep: form.field('keep'),
          excludes: form.field('excludes'),
          hours: form.field('hours'),
          limit: form.field('limit'),
        }}
        of={{ websiteId: form.values.websiteId, serverId: form.values.serverId }}
      />
    </FormModal>
  )
}

function Change({ schedule, close }: { schedule: Schedule; close: () => void }) {
  const form = useCallForm(backupsApi.updateSchedule, {
    initial: shared(schedule),
    fixed: { id: schedule.id, version: schedule.version },
    valuesOf: (stored: Schedule) => shared(stored),
    onDone: ({ name }) => {
      void readAgain(domains)
      toast.info(`The schedule ${name} is saved`)
      close()
    },
  })
  const of = { websiteId: schedule.websiteId ?? undefined, serverId: schedule.serverId ?? undefined }
  return (
    <FormModal
      opened
      close={close}
      title={`Change ${schedule.name}`}
      save="Save schedule"
      size={600}
      form={form}
      nothing="Nothing was saved."
    >
      <Shared
        fields={{
          name: form.field('name'),
          backupServerId: form.field('backupServerId'),
          kind: form.field('kind'),
          when: form.field('when'),
          spread: form.field('spread'),
          keep: form.field('keep'),
          excludes: form.field('excludes'),
          hours: form.field('hours'),
          limit: form.field('limit'),
        }}
        of={of}
        backupServerName={schedule.backupServerName}
      />
    </FormModal>
  )
}

type SharedValues = ReturnType<typeof shared>
interface SharedProps {
  fields: { [K in keyof SharedValues]: Pick<FieldProps<SharedValues[K]>, 'value' | 'onChange' | 'onBlur' | 'error'> }
  of: { websiteId: number | undefined; serverId: number | undefined }
  backupServerName?: string
}

function Shared({ fields, of, backupServerName }: SharedProps) {
  const { name, kind, backupServerId: server, spread, keep, excludes, when, hours, limit } = fields
  return (
    <>
      <TextInput
        label="Name"
        required
        value={name.value}
        error={name.error}
        onBlur={name.onBlur}
        onChange={(event) => name.onChange(event.currentTarget.value)}
      />
      <BackupServerField
        required
        value={server.value}
        valueName={backupServerName}
        onChange={server.onChange}
        onBlur={server.onBlur}
        error={server.error}
      />
      <Select
        label="Contents"
        allowDeselect={false}
        data={kinds}
        value={kind.value}
        onChange={(value) => kind.onChange((value ?? 'full') as BackupKind)} // an option of the list above
      />
      <WhenField value={when.value} onChange={when.onChange} />
      <NumberField
        label="Spread over"
        description="The starts of the websites are spread over this many minutes"
        suffix=" minutes"
        min={0}
        max={1440}
        value={spread.value}
        error={spread.error}
        onChange={(n) => spread.onChange(Number(n) || 0)}
      />
      <HoursField value={hours.value} error={hours.error} onChange={hours.onChange} />
      <NumberField
        label="Bandwidth"
        description="Empty: no limit"
        suffix=" kB/s"
        min={64}
        max={10_000_000}
        value={limit.value ?? ''}
        error={limit.error}
        onChange={(n) => limit.onChange(n === '' ? null : Number(n))}
      />
      <KeepField value={keep.value} of={of} when={when.value} error={keep.error} onChange={keep.onChange} />
      <TagsInputField
        label="Leave out"
        description="Names such as cache/ or *.log; Enter adds one"
        value={excludes.value}
        onChange={excludes.onChange}
      />
    </>
  )
}
