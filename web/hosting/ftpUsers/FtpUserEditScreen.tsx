import type { FtpUser } from '@innkeeper/contract/hosting/ftpUsers'
import { Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Dot } from '../../kit/frame/PageHeader.tsx'
import { PageMenu } from '../../kit/frame/PageMenu.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { domains } from './acts.ts'
import { ftpUsersApi } from './api.ts'
import { FolderField } from './FolderField.tsx'
import { FtpUserActs } from './FtpUserActs.tsx'
import { LimitFields } from './LimitFields.tsx'
import { ServerFtp } from './ServerFtp.tsx'
import { SignIn } from './SignIn.tsx'
import { Traffic } from './Traffic.tsx'
import { notChangeable } from './words.ts'

export default numbered('ftpUserId', FtpUserEditScreen)

function FtpUserEditScreen({ id }: { id: number }) {
  const query = useQuery(ftpUsersApi.one.query({ id }))
  if (!query.data)
    return (
      <Screen query={query} title="FTP user">
        {null}
      </Screen>
    )
  return <Form user={query.data} />
}

const text = (value: number | null) => (value === null ? '' : String(value))
const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

function Form({ user }: { user: FtpUser }) {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/ftp-users/list' })
  const opened = useOpened(user)
  const { id, username, version } = opened
  const form = useCallForm(ftpUsersApi.update, {
    initial: {
      name: opened.name,
      folder: opened.folder || '/',
      quotaMb: text(opened.quotaMb),
      uploadKbps: text(opened.uploadKbps),
      downloadKbps: text(opened.downloadKbps),
      sessions: text(opened.sessions),
      expiresAt: opened.expiresAt ?? '',
      version,
    },
    fixed: { id },
    labels: { name: 'Name', folder: 'Folder', expiresAt: 'End' },
    valuesOf: ({ folder }: FtpUser) => ({ folder: folder || '/' }),
    onDone: () => {
      void readAgain([...domains])
      toast.info(`Changing ${username}`)
      toList()
    },
  })
  const { required: _, ...expiresAt } = form.field('expiresAt')
  const busy = notChangeable(user)
  return (
    <FormScreen
      form={form}
      title={username}
      mono
      badge={<StatusBadge pill state={user.shown} />}
      meta={
        <>
          <LinkTo to="/websites/$id" params={{ id: String(user.websiteId) }}>
            {user.domain}
          </LinkTo>
          <Dot />
          <Mono>{user.serverName}</Mono>
          <Dot />
          <Text>{user.ownerName}</Text>
        </>
      }
      actions={
        <PageMenu>
          <FtpUserActs user={user} onRemoved={toList} />
        </PageMenu>
      }
      nothing="Nothing was saved."
      width={760}
      edits
      reason={busy}
      save="Save FTP user"
      onCancel={toList}
    >
      <SignIn user={user} />
      <TextInput
        label="Name"
        description={`${user.account}_ comes before it. Sessions under the former name end.`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        styles={mono}
        {...form.text('name')}
      />
      <FolderField {...form.text('folder')} />
      <LimitFields
        quotaMb={form.text('quotaMb')}
        uploadKbps={form.text('uploadKbps')}
        downloadKbps={form.text('downloadKbps')}
        sessions={form.text('sessions')}
        expiresAt={expiresAt}
      />
      <Traffic user={user} />
      <ServerFtp user={user} />
    </FormScreen>
  )
}
