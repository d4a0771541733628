import { IconChecks, IconX } from '@tabler/icons-react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { configsApi } from './api.ts'
import { ConfigTabs } from './ConfigTabs.tsx'
import { columns, isOpen, ResetCard } from './resetColumns.tsx'
import { services, touched } from './words.ts'

const actions = ['database', 'dns', 'ftp', 'mail', 'ssl', 'system user', 'vhost']
const filters = [
  {
    key: 'status',
    label: 'Status',
    options: ['pending', 'done', 'failed'].map((value) => ({ value, label: value })),
  },
  { key: 'action', label: 'Action', options: actions.map((value) => ({ value, label: value })) },
  { key: 'dismissed', label: 'Dismissed', options: [{ value: 'true', label: 'Also dismissed ones' }], single: true },
]

/** Resets of configurations with their results. */
export default function ResetsScreen() {
  const list = useList(configsApi.logs, { filters: ['search', 'status', 'action', 'dismissed', 'server'] })
  const lacks = useReason()(configsApi.dismissLogs)
  const none = list.rows.some(isOpen) ? undefined : 'No finished reset is listed.'
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <ActButton
          variant="default"
          leftSection={<IconChecks size={15} />}
          reason={lacks ?? none}
          onClick={() => void dismissAll()}
        >
          Dismiss finished
        </ActButton>
      }
      tabs={<ConfigTabs at="/backups/config-reset-action-logs" />}
    >
      <ListTable
        name="config-resets"
        noun={['reset', 'resets']}
        list={list}
        columns={columns}
        card={(reset) => <ResetCard reset={reset} />}
        label={({ serverName, service, number }) => `${services[service]} of ${serverName} to version ${number}`}
        menu={(reset) => (
          <MenuAction
            label="Dismiss"
            icon={<IconX size={15} />}
            reason={lacks ?? (isOpen(reset) ? undefined : 'Only a finished reset can be dismissed, once.')}
            onClick={() => void dismiss([reset.id])}
          />
        )}
        bulk={(rows, clear) => (
          <ActButton
            size="xs"
            variant="default"
            reason={lacks ?? (rows.some(isOpen) ? undefined : 'None of these is finished.')}
            onClick={() => void dismiss(rows.map(({ id }) => id)).then(clear)}
          >
            Dismiss
          </ActButton>
        )}
        search={{ key: 'search', placeholder: 'Server, service or person' }}
        filters={filters}
        empty={{
          title: 'Nothing was reset yet',
          text: 'A reset restores a collected version of the configuration of a service. If the service fails with that version, the former files are restored.',
          tag: 'RA',
        }}
      />
    </Screen>
  )
}

async function dismiss(ids?: number[]): Promise<void> {
  const done = await attempt(() => configsApi.dismissLogs(ids ? { ids } : {}), touched)
  if (done) toast.success(`${counted(done.dismissed, ['reset is', 'resets are'])} dismissed`)
}

async function dismissAll(): Promise<void> {
  const sure = await confirm({
    title: 'Dismiss all finished resets?',
    text: 'Dismissed resets are listed only with the filter Dismissed.',
    verb: 'Dismiss all',
  })
  if (sure) await dismiss()
}
