import type { Database } from '@innkeeper/contract/databases'
import { Autocomplete, Checkbox, Select, TextInput } from '@mantine/core'
import { readAgain } from '../kit/api/readAgain.ts'
import { toast } from '../kit/dialogs/toast.ts'
import { FormModal } from '../kit/form/FormModal.tsx'
import { useCallForm } from '../kit/form/useCallForm.ts'
import { useOpened } from '../kit/form/useOpened.ts'
import { databasesApi } from './api.ts'
import { charsets, collationsOf } from './words.ts'

/** Renames a database and changes its character set. */
export function ChangeDatabase({ database, close }: { database: Database; close: () => void }) {
  const { id, name, charset, collation, version, domain } = useOpened(database)
  const form = useCallForm(databasesApi.update, {
    initial: { name, charset, collation, tables: false, version },
    fixed: { id },
    labels: { name: 'Name', charset: 'Character set', collation: 'Collation' },
    onDone: () => {
      void readAgain(['databases', 'websites', 'workflows'])
      toast.info(`Changing ${name}`)
      close()
    },
  })
  const { values, set, field } = form
  const { required: _, onChange: onCharset, ...charsetField } = field('charset')
  const { required: __, onChange: onCollation, ...collationField } = field('collation')
  return (
    <FormModal
      opened
      close={close}
      title={`Change ${name}`}
      save="Change database"
      form={{ ...form, valid: form.valid && form.dirty }}
      nothing="Nothing was changed."
    >
      <TextInput
        label="Name"
        description={
          values.name === name
            ? 'Accounts follow, and the configuration of applications that Innkeeper knows'
            : `${domain} shows its maintenance page meanwhile`
        }
        autoComplete="off"
        spellCheck={false}
        {...form.text('name')}
      />
      <Select
        label="Character set"
        allowDeselect={false}
        data={charsets}
        {...charsetField}
        onChange={(value) => {
          onCharset(value ?? charset)
          onCollation(value === charset ? collation : (collationsOf(value ?? '')[1] ?? ''))
        }}
      />
      <Autocomplete label="Collation" data={collationsOf(values.charset)} {...collationField} onChange={onCollation} />
      <Checkbox
        label="Convert existing tables"
        description="Otherwise it applies to new tables only. A table is locked while it is converted."
        checked={values.tables}
        onChange={({ currentTarget }) => set('tables', currentTarget.checked)}
      />
    </FormModal>
  )
}
