import type { Database } from '@innkeeper/contract/hosting/databases/calls'
import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { SecretOnce } from '../../kit/dialogs/SecretOnce.tsx'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { databasesApi } from './api.ts'
import { loginLine } from './words.ts'

const lengths = [15, 30, 60, 120].map((minutes) => ({ value: String(minutes), label: `${minutes} minutes` }))

/** Opens a login to a database that ends by itself, and shows its connection line once. */
export default function OpenLogin({ database, close }: { database: Database; close: () => void }) {
  const { id, name, serverName } = database
  const lacking = useReason()
  const [line, setLine] = useState<string>()
  const form = useCallForm(databasesApi.openLogin, {
    initial: { minutes: '30', privileges: 'read', reason: '' },
    fixed: { id },
    labels: { reason: 'Reason' },
    onDone: ({ data, password }) => {
      void readAgain(['databases', 'websites', 'workflows'])
      setLine(loginLine(database, data.username, password))
    },
  })
  if (line)
    return (
      <SecretOnce
        title={`Login to ${name}`}
        text={`On ${serverName}, within the next ${form.values.minutes} minutes:`}
        label="connection line"
        secret={line}
        note="It is not shown again. The login is created within seconds, and ends by itself, with its open connections."
        close={close}
      />
    )
  const noWriting = lacking('database:login:write')
  const { required: _, onChange: onMinutes, ...minutes } = form.field('minutes')
  const { required: __, onChange: onPrivileges, ...privileges } = form.field('privileges')
  return (
    <FormModal
      opened
      close={close}
      title={`Timed login to ${name}`}
      save="Open login"
      form={form}
      nothing="No login was opened."
    >
      <TextInput
        label="Reason"
        description="The action log records it"
        placeholder="Ticket 4711: orders are missing"
        autoComplete="off"
        {...form.text('reason')}
      />
      <Select
        label="Ends after"
        allowDeselect={false}
        data={lengths}
        {...minutes}
        onChange={(value) => onMinutes(value ?? '30')}
      />
      <Select
        label="May"
        allowDeselect={false}
        description={noWriting}
        data={[
          { value: 'read', label: 'read' },
          { value: 'all', label: 'read and write', disabled: noWriting !== undefined },
        ]}
        {...privileges}
        onChange={(value) => onPrivileges(value ?? 'read')}
      />
    </FormModal>
  )
}
