import type { Website } from '@innkeeper/contract/hosting/websites'
import { Select, TextInput } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { databasesApi } from './api.ts'
import { type Engine, EngineField } from './EngineField.tsx'
import { charsets, POSTGRESQL_SHAPE } from './words.ts'

const empty: { engine: Engine; name: string; username: string; charset: string | undefined } = {
  ...{ engine: 'mariadb', name: '', username: '' },
  charset: 'utf8mb4',
}

/** Adds a database to a website. Empty names are derived from its domain. */
export function AddDatabase({ website: { id, domain }, close }: { website: Website; close: () => void }) {
  const form = useCallForm(databasesApi.create, {
    initial: empty,
    fixed: { websiteId: id },
    labels: { engine: 'Engine', name: 'Name', username: 'Account', charset: 'Character set' },
    onDone: ({ data }) => {
      void readAgain(['databases', 'websites', 'workflows'])
      toast.info(`Making the database ${data.name}`)
      close()
    },
  })
  return (
    <FormModal
      opened
      close={close}
      title={`Add a database to ${domain}`}
      save="Add database"
      form={form}
      nothing="No database was added."
    >
      <EngineField
        {...form.field('engine')}
        onChange={(engine) => {
          form.set('engine', engine)
          form.set('charset', engine === 'mariadb' ? 'utf8mb4' : undefined)
        }}
      />
      <TextInput
        label="Name"
        description="Empty: after the domain"
        autoComplete="off"
        spellCheck={false}
        {...form.text('name')}
      />
      <TextInput
        label="Account"
        description="Empty: derived from the domain. The password is generated."
        autoComplete="off"
        spellCheck={false}
        {...form.text('username')}
      />
      <Select
        label="Character set"
        allowDeselect={false}
        data={charsets}
        disabled={form.values.engine === 'postgresql'}
        description={form.values.engine === 'postgresql' ? POSTGRESQL_SHAPE : undefined}
        {...form.field('charset')}
        value={form.values.charset ?? null}
        onChange={(charset) => form.set('charset', charset ?? 'utf8mb4')}
      />
    </FormModal>
  )
}
