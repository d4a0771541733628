import { Autocomplete, Select, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { WebsiteField } from '../websites/WebsiteField.tsx'
import { databasesApi } from './api.ts'
import { type Engine, EngineField } from './EngineField.tsx'
import { charsets, collationsOf, engineWords, POSTGRESQL_SHAPE } from './words.ts'

interface Requested {
  websiteId: number | undefined
  engine: Engine
  name: string
  username: string
  charset: string | undefined
  collation: string
}
const empty: Requested = {
  ...{ websiteId: undefined, engine: 'mariadb', name: '', username: '' },
  ...{ charset: 'utf8mb4', collation: '' },
}
const labels = { websiteId: 'Website', engine: 'Engine', name: 'Name', username: 'Account', charset: 'Character set' }
const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

export default function DatabaseCreateScreen() {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/databases/list' })
  const form = useCallForm(databasesApi.create, {
    initial: empty,
    labels,
    onDone: ({ data }) => {
      void readAgain(['databases', 'websites', 'workflows'])
      toast.info(`Creating ${data.name}`)
      toList()
    },
  })
  const { required: _, ...website } = form.field('websiteId')
  const { required: __, onChange: onCharset, ...charset } = form.field('charset')
  const { required: ___, onChange: onCollation, ...collation } = form.field('collation')
  const { required: ____, onChange: onEngine, ...engine } = form.field('engine')
  const isMariadb = form.values.engine === 'mariadb'
  const typed = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, styles: mono } as const
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left={`${engineWords[form.values.engine]} is installed on the server of the website with its first database.`}
      save="Create database"
      onCancel={toList}
    >
      <WebsiteField {...website} />
      <EngineField
        {...engine}
        onChange={(value) => {
          onEngine(value)
          form.set('charset', value === 'mariadb' ? 'utf8mb4' : undefined)
          form.set('collation', '')
        }}
      />
      <TextInput label="Name" description="Empty: derived from the domain" {...typed} {...form.text('name')} />
      <TextInput
        label="Account"
        description="Empty: derived from the domain. Innkeeper chooses its password."
        {...typed}
        {...form.text('username')}
      />
      <Select
        label="Character set"
        allowDeselect={false}
        data={charsets}
        disabled={!isMariadb}
        description={isMariadb ? undefined : POSTGRESQL_SHAPE}
        {...charset}
        value={form.values.charset ?? null}
        onChange={(value) => {
          onCharset(value ?? 'utf8mb4')
          onCollation('')
        }}
      />
      <Autocomplete
        label="Collation"
        disabled={!isMariadb}
        description={isMariadb ? 'Empty: the default of the character set' : POSTGRESQL_SHAPE}
        data={collationsOf(form.values.charset ?? '')}
        {...collation}
        onChange={onCollation}
      />
    </FormScreen>
  )
}
