import type { DatabaseAccount } from '@innkeeper/contract/hosting/databases/calls'
import { Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Dot } from '../../../kit/frame/PageHeader.tsx'
import { PageMenu } from '../../../kit/frame/PageMenu.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Mono } from '../../../kit/look/Mono.tsx'
import { databasesApi } from '../api.ts'
import { Password } from '../Password.tsx'
import { engineWords } from '../words.ts'
import { notChangeable } from './acts.ts'
import { Status } from './columns.tsx'
import { type ChosenGrant, GrantsField } from './GrantsField.tsx'
import { HostField } from './HostField.tsx'
import { UserActs } from './UserActs.tsx'

export default numbered('userId', UserEditScreen)

function UserEditScreen({ id }: { id: number }) {
  const query = useQuery(databasesApi.user.query({ id }))
  if (!query.data)
    return (
      <Screen query={query} title="Database user">
        {null}
      </Screen>
    )
  return <Form user={query.data} />
}

const grantsOf = (databases: DatabaseAccount['databases']): ChosenGrant[] =>
  databases.map(({ id, privileges, chosen }) => ({ id, privileges, chosen }))

function Form({ user }: { user: DatabaseAccount }) {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/databases/users/list' })
  const { id, username, host, locked, databases, version } = useOpened(user)
  const form = useCallForm(databasesApi.updateUser, {
    initial: { host, locked, databases: grantsOf(databases), version },
    valuesOf: (stored: DatabaseAccount) => ({ databases: grantsOf(stored.databases) }),
    fixed: { id },
    labels: { host: 'Host', databases: 'Databases' },
    onDone: () => {
      void readAgain(['databases', 'websites', 'workflows'])
      toast.info(`Changing ${username}`)
      toList()
    },
  })
  const chosen = form.field('databases')
  const busy = notChangeable(user)
  return (
    <FormScreen
      form={form}
      title={username}
      mono
      badge={<Status pill user={user} />}
      meta={
        <>
          <LinkTo to="/websites/$id" params={{ id: String(user.websiteId) }}>
            {user.domain}
          </LinkTo>
          <Dot />
          <Mono>{user.serverName}</Mono>
          <Dot />
          <Text>{engineWords[user.engine]}</Text>
          <Dot />
          <Text>{user.ownerName}</Text>
        </>
      }
      actions={
        <PageMenu>
          <UserActs user={user} onRemoved={toList} />
        </PageMenu>
      }
      nothing="Nothing was saved."
      edits
      reason={busy}
      save="Save database user"
      onCancel={toList}
    >
      <Password user={user} />
      <HostField engine={user.engine} {...form.text('host')} />
      <GrantsField
        websiteId={user.websiteId}
        engine={user.engine}
        value={chosen.value}
        onChange={chosen.onChange}
        error={chosen.error}
      />
      <Switch
        label="Locked"
        description="New connections are refused. Its password and privileges stay."
        checked={form.values.locked}
        onChange={({ currentTarget }) => form.set('locked', currentTarget.checked)}
      />
    </FormScreen>
  )
}
