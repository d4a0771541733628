import type { Backup } from '@innkeeper/contract/recovery/backups/shapes'
import { type RestoreScope, restoreScopes } from '@innkeeper/contract/recovery/backups/values'
import { Checkbox, List, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { ago, moment } from '../../../kit/look/format.ts'
import { domains } from '../acts.ts'
import { backupsApi } from '../api.ts'
import { Note } from '../Note.tsx'
import { MailFields } from './MailFields.tsx'
import { PartsFields } from './PartsFields.tsx'
import { PresentLine } from './PresentLine.tsx'
import { SettingsFields } from './SettingsFields.tsx'
import { type Target, TargetFields } from './TargetFields.tsx'
import { initialOf } from './values.ts'

interface Props {
  backup: Backup
  /** Chosen files; absent: all. */
  paths?: string[] | undefined
  close: () => void
}
const scopeWords: Record<RestoreScope, string> = {
  'server and config': 'Content and configuration',
  'server only': 'Content only',
  'config only': 'Configuration only',
}
const OF_FILES = 'The present files are kept in the trash of the server. The workflow can be rolled back.'
const promise: Record<Target, string> = {
  same: 'The present files are kept in the trash of the server, each database as a dump. The workflow can be rolled back.',
  other:
    'The present content of the other website is kept: files in the trash of its server, each database as a dump. Known configuration files get its own databases, passwords and address.',
  new: 'The new website gets an account, databases and passwords of its own. Its owner and plan are those of the website of this backup.',
}

/** Chooses what is restored and where to, shows what that replaces, and starts the restore. */
export default function RestoreModal({ backup, paths, close }: Props) {
  const [target, setTarget] = useState<Target>('same')
  const form = useCallForm(backupsApi.restore, {
    initial: initialOf(backup, paths),
    fixed: { backupId: backup.id },
    labels: { websiteId: 'Website', originServer: 'Server', domain: 'Name' },
    onDone: ({ data }) => {
      void readAgain(domains)
      toast.info(
        `Restoring ${data.domain}`,
        target === 'new'
          ? 'The website is served once all its parts are restored.'
          : 'Visitors see the maintenance page while files and tables are exchanged.',
        data.websiteId === null ? {} : { to: `/websites/${data.websiteId}` },
      )
      close()
    },
  })
  const { websiteId, scope: chosen, userId } = form.values
  const known = target === 'same' || (target === 'other' && websiteId !== undefined)
  const { data: preview, error } = useQuery({
    ...backupsApi.restorePreview.query({ id: backup.id, ...(websiteId !== undefined && { websiteId }) }),
    enabled: known,
  })
  const other = target === 'other' && websiteId !== undefined ? preview?.otherOwner : null
  const [settled] = useDebouncedValue(websiteId, 300)
  const { required: _, ...scope } = form.field('scope')
  const receiver =
    target === 'other' ? (preview?.website ?? 'the other website') : form.values.domain || 'the new website'
  const files = chosen !== 'config only' && form.values.paths?.length !== 0
  return (
    <FormModal
      opened
      close={close}
      size={620}
      title={`Restore ${backup.domain}`}
      save="Restore"
      form={{
        ...form,
        valid:
          form.valid &&
          !(target === 'other' && websiteId === undefined) &&
          !(other && userId !== other.id) &&
          !lacksNew(target, form.values),
      }}
      nothing="Nothing was restored."
    >
      <Stack gap={14}>
        <Text>
          From the backup of{' '}
          <Text span fw={500}>
            {moment(backup.startedAt ?? backup.createdAt)}
          </Text>
          , {ago(backup.startedAt ?? backup.createdAt)}.
        </Text>
        <TargetFields
          target={target}
          whole={!paths}
          then={backup}
          fields={{
            websiteId: {
              ...form.field('websiteId'),
              onChange: (next) => form.setValues((now) => ({ ...now, websiteId: next, userId: undefined })),
            },
            domain: form.field('domain'),
            originServer: form.field('originServer'),
            phpVersion: form.field('phpVersion'),
          }}
          onChange={(next) => {
            setTarget(next)
            const none = {
              ...{ websiteId: undefined, domain: undefined, originServer: undefined },
              ...{ userId: undefined, phpVersion: undefined },
            }
            form.setValues((now) => ({
              ...now,
              ...none,
              ...{ into: undefined, settings: [], mail: [] },
              ...(next !== 'same' && { scope: 'server and config' as const }),
            }))
          }}
        />
        {backup.copiedTo && (
          <Select
            label="Read from"
            description="Choose the copy if the original is lost or unreachable"
            allowDeselect={false}
            data={[
              { value: 'first', label: backup.backupServerName },
              { value: 'copy', label: `The copy on ${backup.copiedTo}` },
            ]}
            value={form.values.copy ? 'copy' : 'first'}
            onChange={(value) => form.field('copy').onChange(value === 'copy')}
          />
        )}
        {known && error && <Note>{error.message}</Note>}
        {known && preview?.warnings.map((text) => <Note key={text}>{text}</Note>)}
        {other && (
          <Checkbox
            label={`${other.name} may see all of it`}
            checked={userId === other.id}
            error={form.field('userId').error}
            onChange={(event) => form.field('userId').onChange(event.currentTarget.checked ? other.id : undefined)}
          />
        )}
        {paths ? (
          <div>
            <Text>These files and folders are replaced; others stay:</Text>
            <List>
              {paths.slice(0, 8).map((path) => (
                <List.Item key={path}>{path}</List.Item>
              ))}
            </List>
            {paths.length > 8 && <Text c="dimmed">and {paths.length - 8} more</Text>}
          </div>
        ) : (
          <>
            {target === 'same' && (
              <Select
                label="What"
                allowDeselect={false}
                data={restoreScopes.map((value) => ({ value, label: scopeWords[value] }))}
                {...scope}
                onChange={(value) => scope.onChange(restoreScopes.find((one) => one === value) ?? 'server and config')}
              />
            )}
            {chosen !== 'config only' && (
              <PartsFields
                backup={backup}
                target={target}
                preview={known ? preview : undefined}
                fields={{
                  paths: form.field('paths'),
                  databases: form.field('databases'),
                  tables: form.field('tables'),
                  into: form.field('into'),
                }}
              />
            )}
            {target !== 'same' && form.values.databases.length > 0 && (
              <Checkbox
                label="Replace the name in the databases"
                description={`${backup.domain}, names below it and mail addresses become those of ${receiver}. Without that, an application may lead visitors to ${backup.domain}.`}
                checked={form.values.names}
                error={form.field('names').error}
                onChange={(event) => form.field('names').onChange(event.currentTarget.checked)}
              />
            )}
            <MailFields preview={known ? preview : undefined} field={form.field('mail')} />
            <SettingsFields
              backup={backup}
              target={target}
              preview={known ? preview : undefined}
              field={form.field('settings')}
            />
          </>
        )}
        {known && preview && files && (
          <PresentLine backupId={backup.id} websiteId={settled} paths={paths} domain={preview.website} />
        )}
        <Text c="dimmed" fz="xs">
          {target === 'same' && paths ? OF_FILES : promise[target]}
        </Text>
      </Stack>
    </FormModal>
  )
}

const lacksNew = (
  target: Target,
  { domain, originServer }: { domain?: string | undefined; originServer?: number | undefined },
) => target === 'new' && (!domain || originServer === undefined)
