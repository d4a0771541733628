import type { Database } from '@innkeeper/contract/hosting/databases/calls'
import { Autocomplete, Checkbox, Select, Text, TextInput } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { databasesApi } from './api.ts'
import { charsets, collationsOf, POSTGRESQL_SHAPE } from './words.ts'

interface Changed {
  name: string
  charset: string | undefined
  collation: string | undefined
  tables: boolean | undefined
  version: number
}

/** Renames a database and changes its character set. */
export default function ChangeDatabase({ database, close }: { database: Database; close: () => void }) {
  const { id, name, engine, charset, collation, version, domain } = useOpened(database)
  const isMariadb = engine === 'mariadb'
  const initial: Changed = isMariadb
    ? { name, charset, collation, tables: false, version }
    : { name, charset: undefined, collation: undefined, tables: undefined, version }
  const form = useCallForm(databasesApi.update, {
    initial,
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
            ? 'Accounts and the configuration of known applications get the new name'
            : `${domain} shows its maintenance page meanwhile`
        }
        autoComplete="off"
        spellCheck={false}
        {...form.text('name')}
      />
      {!isMariadb && <Text c="dimmed">{POSTGRESQL_SHAPE} They stay.</Text>}
      {isMariadb && (
        <>
          <Select
            label="Character set"
            allowDeselect={false}
            data={charsets}
            {...charsetField}
            value={values.charset ?? null}
            onChange={(value) => {
              onCharset(value ?? charset)
              onCollation(value === charset ? collation : (collationsOf(value ?? '')[1] ?? ''))
            }}
          />
          <Autocomplete
            label="Collation"
            data={collationsOf(values.charset ?? '')}
            {...collationField}
            value={values.collation ?? ''}
            onChange={onCollation}
          />
          <Checkbox
            label="Convert existing tables"
            description="Otherwise it applies to new tables only. A table is locked while it is converted."
            checked={values.tables ?? false}
            onChange={({ currentTarget }) => set('tables', currentTarget.checked)}
          />
        </>
      )}
    </FormModal>
  )
}
