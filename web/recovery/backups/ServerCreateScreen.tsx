import type { KeepPolicy } from '@innkeeper/contract/recovery/backups/keep'
import { USUAL_PORT } from '@innkeeper/contract/recovery/backups/values'
import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { serversApi } from '../../machines/servers/api.ts'
import { NoServer } from '../../machines/servers/choice/NoServer.tsx'
import { domains } from './acts.ts'
import { backupsApi } from './api.ts'
import { KeepField } from './KeepField.tsx'
import { usualKeep } from './words.ts'

interface Wish {
  serverId: number | undefined
  port: number
  note: string
  keep: KeepPolicy
}
const machines = {
  query: (input: { search: string; itemsPerPage: number }) =>
    serversApi.list.query({ ...input, type: ['backup', 'all-in-one'] }),
}

export default function ServerCreateScreen() {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/backups/servers' })
  const initial: Wish = { serverId: undefined, port: USUAL_PORT, note: '', keep: usualKeep }
  const form = useCallForm(backupsApi.createServer, {
    initial,
    labels: { serverId: 'Server', port: 'Port' },
    onDone: ({ data }) => {
      void readAgain(domains)
      toast.info(`Preparing ${data.name}`, 'restic and rest-server are installed there.')
      toList()
    },
  })
  const server = form.field('serverId')
  const { required: _, ...port } = form.field('port')
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="Each machine gets an account that can append and read, never delete."
      save="Create backup server"
      onCancel={toList}
    >
      <PickOne
        label="Server"
        required
        mono
        placeholder="A server of the type backup"
        none={<NoServer type="backup" />}
        call={machines}
        nameOf={({ name }) => name}
        closed={({ address }) => (address ? undefined : 'has no address')}
        value={server.value ?? null}
        onChange={(id) => server.onChange(id ?? undefined)}
        onBlur={server.onBlur}
        error={server.error}
      />
      <NumberField
        label="Port"
        description="Other servers reach rest-server there, over TLS"
        min={1024}
        max={65_535}
        {...port}
        onChange={(value) => port.onChange(Number(value))}
      />
      <TextInput label="Note" autoComplete="off" {...form.text('note')} />
      <KeepField value={form.values.keep} onChange={form.field('keep').onChange} />
    </FormScreen>
  )
}
