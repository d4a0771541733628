import type { BackupServer } from '@innkeeper/contract/recovery/backups/shapes'
import { PasswordInput, Switch, TextInput } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { domains } from './acts.ts'
import { backupsApi } from './api.ts'
import { KeepField } from './KeepField.tsx'
import { MachineField } from './MachineField.tsx'
import { Note } from './Note.tsx'
import { usualKeep } from './words.ts'

const told = ({ data }: { data: BackupServer }) => {
  void readAgain(domains)
  toast.info(`Trying ${data.name}`, 'Innkeeper writes, reads, lists and deletes a test object.')
}
const plainText = (endpoint: string) => endpoint.startsWith('http://')
const folder = 'Path in the bucket, with a slash at the end; empty: the whole bucket'
const unsealed =
  'Without TLS, others on the network path see which objects are read and written. restic encrypts their content.'

interface Props {
  /** The bucket to change; absent to create one. */
  server?: BackupServer | undefined
  close: () => void
}

/** Creates a bucket for repositories, or changes how Innkeeper reaches one. */
export default function BucketModal({ server, close }: Props) {
  return server ? <Change server={server} close={close} /> : <Create close={close} />
}

function Create({ close }: { close: () => void }) {
  const initial: {
    serverId: number | undefined
    name: string
    endpoint: string
    bucket: string
    prefix: string
    region: string
    keyId: string
    key: string
    pathStyle: boolean
    keep: typeof usualKeep
  } = {
    ...{ serverId: undefined, name: '', endpoint: 'https://', bucket: '', prefix: 'innkeeper/', region: 'us-east-1' },
    ...{ keyId: '', key: '', pathStyle: true, keep: usualKeep },
  }
  const form = useCallForm(backupsApi.createBucket, {
    initial,
    labels: { serverId: 'Server', name: 'Name', bucket: 'Bucket', keyId: 'Key', key: 'Secret' },
    onDone: (answer) => {
      told(answer)
      close()
    },
  })
  const { required: _, ...server } = form.field('serverId')
  return (
    <FormModal
      opened
      close={close}
      size={560}
      title="Add bucket"
      save="Add bucket"
      form={form}
      nothing="Nothing was added."
    >
      <Note>
        A bucket cannot be append-only: every server that backs up there knows its key, and whoever takes over one of
        these servers can delete all backups in the bucket. Turn on versions or object locks at the store, or use a
        backup server.
      </Note>
      <TextInput label="Name" description="Shown in lists" autoComplete="off" {...form.text('name')} />
      <TextInput
        label="Endpoint"
        description="Without the bucket, such as https://s3.eu-north-1.amazonaws.com"
        autoComplete="off"
        {...form.text('endpoint')}
      />
      {plainText(form.values.endpoint) && <Note>{unsealed}</Note>}
      <TextInput label="Bucket" autoComplete="off" {...form.text('bucket')} />
      <TextInput label="Folder" description={folder} autoComplete="off" {...form.text('prefix')} />
      <TextInput label="Region" autoComplete="off" {...form.text('region')} />
      <TextInput label="Key" autoComplete="off" {...form.text('keyId')} />
      <PasswordInput
        label="Secret"
        description="Stored encrypted; servers get it with each operation"
        autoComplete="new-password"
        {...form.text('key')}
      />
      <Switch
        label="Name of the bucket in the path of the address"
        description="endpoint/bucket, which most stores require, instead of bucket.endpoint"
        checked={form.values.pathStyle}
        onChange={(event) => form.field('pathStyle').onChange(event.currentTarget.checked)}
      />
      <MachineField {...server} label="Looked after by" types={['backup', 'all-in-one', 'web']} />
      <KeepField value={form.values.keep} onChange={form.field('keep').onChange} />
    </FormModal>
  )
}

const placeOf = ({ s3 }: BackupServer) => ({
  ...{ endpoint: s3?.endpoint ?? '', bucket: s3?.bucket ?? '', prefix: s3?.prefix ?? '' },
  ...{ region: s3?.region ?? '', keyId: s3?.keyId ?? '', pathStyle: s3?.pathStyle ?? true },
})

/** Changes the address or key of a bucket, for instance after a rotation of the key. */
function Change({ server, close }: { server: BackupServer; close: () => void }) {
  const form = useCallForm(backupsApi.updateBucket, {
    initial: { ...placeOf(server), key: undefined as string | undefined },
    fixed: { id: server.id, version: server.version },
    valuesOf: placeOf,
    labels: { bucket: 'Bucket', keyId: 'Key', key: 'Secret' },
    onDone: (answer) => {
      told(answer)
      close()
    },
  })
  const { value, onChange, ...key } = form.field('key')
  return (
    <FormModal
      opened
      close={close}
      title={`How ${server.name} is reached`}
      save="Save and try"
      form={form}
      nothing="Nothing was saved."
    >
      <TextInput label="Endpoint" autoComplete="off" {...form.text('endpoint')} />
      {plainText(form.values.endpoint) && <Note>{unsealed}</Note>}
      {server.repositories === 0 && (
        <>
          <TextInput label="Bucket" autoComplete="off" {...form.text('bucket')} />
          <TextInput label="Folder" description={folder} autoComplete="off" {...form.text('prefix')} />
        </>
      )}
      <TextInput label="Region" autoComplete="off" {...form.text('region')} />
      <TextInput label="Key" autoComplete="off" {...form.text('keyId')} />
      <PasswordInput
        label="Secret"
        description="Empty: it stays"
        autoComplete="new-password"
        {...key}
        value={value ?? ''}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
      />
      <Switch
        label="Name of the bucket in the path of the address"
        description="endpoint/bucket instead of bucket.endpoint"
        checked={form.values.pathStyle}
        onChange={(event) => form.field('pathStyle').onChange(event.currentTarget.checked)}
      />
    </FormModal>
  )
}
