import { TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { readAgain } from '../../kit/api/readAgain.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { PasswordField } from '../../kit/form/PasswordField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { PasswordOnce } from '../sftp/PasswordOnce.tsx'
import { WebsiteField } from '../websites/WebsiteField.tsx'
import { domains } from './acts.ts'
import { ftpUsersApi } from './api.ts'
import { FolderField } from './FolderField.tsx'
import { LimitFields } from './LimitFields.tsx'

interface Wish {
  websiteId: number | undefined
  name: string
  folder: string
  password: string
  quotaMb: string
  uploadKbps: string
  downloadKbps: string
  sessions: string
  expiresAt: string
}
const empty = { name: '', folder: 'public', password: '' }
const unlimited = { quotaMb: '', uploadKbps: '', downloadKbps: '', sessions: '', expiresAt: '' }
const labels = { websiteId: 'Website', name: 'Name', folder: 'Folder', password: 'Password', expiresAt: 'End' }
const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

export default function FtpUserCreateScreen() {
  const navigate = useNavigate()
  const { website: chosen } = useSearch({ strict: false }) as { website?: unknown }
  const [made, setMade] = useState<{ id: number; username: string; password: string }>()
  const open = (id: number) => void navigate({ to: '/ftp-users/edit/$ftpUserId', params: { ftpUserId: String(id) } })
  const initial: Wish = { websiteId: Number(chosen) || undefined, ...empty, ...unlimited }
  const form = useCallForm(ftpUsersApi.create, {
    initial,
    labels,
    onDone: ({ data, password }) => {
      void readAgain([...domains])
      if (password === null) open(data.id)
      else setMade({ id: data.id, username: data.username, password })
    },
  })
  const { required: _, ...website } = form.field('websiteId')
  const { required: __, ...password } = form.field('password')
  const { required: ___, ...expiresAt } = form.field('expiresAt')
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="The FTP user can sign in over TLS a few seconds later."
      save="Create FTP user"
      onCancel={() => void navigate({ to: '/ftp-users/list' })}
    >
      <WebsiteField {...website} />
      <TextInput
        label="Name"
        description="The account of the website is put before it: kari becomes shop_kari"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        styles={mono}
        {...form.text('name')}
      />
      <FolderField {...form.text('folder')} />
      <PasswordField
        label="Password"
        description="Empty: Innkeeper chooses one and shows it once"
        makes={false}
        words={[form.values.name]}
        {...password}
      />
      <LimitFields
        quotaMb={form.text('quotaMb')}
        uploadKbps={form.text('uploadKbps')}
        downloadKbps={form.text('downloadKbps')}
        sessions={form.text('sessions')}
        expiresAt={expiresAt}
      />
      {made && <PasswordOnce {...made} close={() => open(made.id)} />}
    </FormScreen>
  )
}
