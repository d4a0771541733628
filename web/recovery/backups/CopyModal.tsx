import type { RepositoryCopy } from '@innkeeper/contract/recovery/backups/copies'
import type { Repository } from '@innkeeper/contract/recovery/backups/shapes'
import type { When } from '@innkeeper/contract/recovery/backups/when'
import { Switch, Text } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { type FieldProps, useCallForm } from '../../kit/form/useCallForm.ts'
import { domains } from './acts.ts'
import { backupsApi } from './api.ts'
import { BackupServerField } from './ServerField.tsx'
import { WhenField } from './WhenField.tsx'

interface Props {
  of: Repository | RepositoryCopy
  close: () => void
}
const nightly: When = { every: 'day', at: '06:00', weekday: 1, day: 1 }

/** Creates a copy of a repository on another backup server, or changes one. */
export default function CopyModal({ of, close }: Props) {
  return 'targetId' in of ? <Change copy={of} close={close} /> : <Create repository={of} close={close} />
}

function Create({ repository, close }: { repository: Repository; close: () => void }) {
  const initial: { backupServerId: number | undefined; when: When | null; limit: number | null } = {
    ...{ backupServerId: undefined, when: nightly, limit: null },
  }
  const form = useCallForm(backupsApi.createCopy, {
    initial,
    fixed: { repositoryId: repository.id },
    labels: { backupServerId: 'Backup server' },
    onDone: ({ data }) => {
      void readAgain(domains)
      toast.info(`Copying ${data.account} to ${data.targetServerName}`)
      close()
    },
  })
  return (
    <FormModal
      opened
      close={close}
      title={`Copy ${repository.account} off site`}
      save="Copy"
      size={560}
      form={form}
      nothing="Nothing is copied."
    >
      <BackupServerField {...form.field('backupServerId')} />
      <Shared when={form.field('when')} limit={form.field('limit')} />
      <Text c="dimmed" fz="xs">
        {repository.backupServerName} sends the data. Its account on another backup server can append and read, never
        delete; the other server itself removes copies of backups that no longer exist. A bucket has no such account:{' '}
        {repository.backupServerName} then knows the key of the bucket.
      </Text>
    </FormModal>
  )
}

function Change({ copy, close }: { copy: RepositoryCopy; close: () => void }) {
  const form = useCallForm(backupsApi.updateCopy, {
    initial: { when: copy.when, limit: copy.limit },
    fixed: { id: copy.id, version: copy.version },
    onDone: ({ account }) => {
      void readAgain(domains)
      toast.info(`The copying of ${account} is saved`)
      close()
    },
  })
  return (
    <FormModal
      opened
      close={close}
      title={`Copying of ${copy.account} to ${copy.targetServerName}`}
      save="Save"
      size={560}
      form={form}
      nothing="Nothing was saved."
    >
      <Shared when={form.field('when')} limit={form.field('limit')} />
    </FormModal>
  )
}

type Field<T> = Pick<FieldProps<T>, 'value' | 'onChange' | 'error'>

function Shared({ when, limit }: { when: Field<When | null>; limit: Field<number | null> }) {
  return (
    <>
      <Switch
        label="Copy by a schedule"
        checked={when.value !== null}
        onChange={(event) => when.onChange(event.currentTarget.checked ? nightly : null)}
      />
      {when.value && <WhenField value={when.value} onChange={when.onChange} />}
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
    </>
  )
}
