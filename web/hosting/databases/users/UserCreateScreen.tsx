import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { WebsiteField } from '../../websites/WebsiteField.tsx'
import { databasesApi } from '../api.ts'
import { type Engine, EngineField } from '../EngineField.tsx'
import { type ChosenGrant, GrantsField } from './GrantsField.tsx'
import { HostField } from './HostField.tsx'

interface Requested {
  websiteId: number | undefined
  engine: Engine
  username: string
  host: string
  databases: ChosenGrant[]
}
const empty: Requested = { websiteId: undefined, engine: 'mariadb', username: '', host: 'localhost', databases: [] }
const labels = { websiteId: 'Website', engine: 'Engine', username: 'User name', host: 'Host', databases: 'Databases' }
const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

export default function UserCreateScreen() {
  const navigate = useNavigate()
  const form = useCallForm(databasesApi.createUser, {
    initial: empty,
    labels,
    onDone: ({ data }) => {
      void readAgain(['databases', 'websites', 'workflows'])
      void navigate({ to: '/databases/users/edit/$userId', params: { userId: String(data.id) } })
    },
  })
  const { required: _, onChange: onWebsite, ...website } = form.field('websiteId')
  const grants = form.field('databases')
  const { required: __, onChange: onEngine, ...engine } = form.field('engine')
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="Innkeeper chooses its password, which can be shown later."
      save="Create database user"
      onCancel={() => void navigate({ to: '/databases/users/list' })}
    >
      <WebsiteField
        {...website}
        onChange={(id) => {
          onWebsite(id)
          form.set('databases', [])
        }}
      />
      <EngineField
        {...engine}
        onChange={(value) => {
          onEngine(value)
          form.set('databases', [])
        }}
      />
      <TextInput
        label="User name"
        description="Lower-case letters, digits and _, a letter first, at most 32; free on its server"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        styles={mono}
        {...form.text('username')}
      />
      <HostField engine={form.values.engine} {...form.text('host')} />
      <GrantsField
        websiteId={form.values.websiteId}
        engine={form.values.engine}
        value={grants.value}
        onChange={grants.onChange}
        error={grants.error}
      />
    </FormScreen>
  )
}
