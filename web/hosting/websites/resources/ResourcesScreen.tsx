import type { ResourceRow as Row } from '@innkeeper/contract/hosting/websites'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Together } from '../../../kit/frame/Together.tsx'
import { type BulkAct, BulkModal } from '../../../kit/list/BulkModal.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { useList } from '../../../kit/list/useList.ts'
import { Views } from '../../../kit/list/Views.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { stateOf } from '../../../kit/look/stateWords.ts'
import { useServerChoice } from '../../../machines/servers/choice/useServerChoice.ts'
import { orchestratorApi, websitesApi } from '../api.ts'
import { resourceTypes } from '../words.ts'
import { columns, ResourceCard, type ResourceRow, resourcePath } from './resourceColumns.tsx'
import { Stopped } from './Stopped.tsx'

const views = [{ name: 'Wants somebody', filters: { status: ['failed', 'blocked'] } }]
// statuses of the last action, by which the list is filtered
const statuses = ['failed', 'blocked', 'unknown', 'running', 'ready', 'pending', 'done', 'skipped', 'undone'] as const

/** Gives a row the id of its last action; a resource without actions gets its own id, negated. */
const numbered = (row: Row): ResourceRow => ({ ...row, id: row.action?.id ?? -row.resourceId })

export default function ResourcesScreen() {
  const found = useList(orchestratorApi.resources, {
    filters: ['domain', 'status', 'resourceType', 'server'],
  })
  const list = {
    ...found,
    rows: found.rows.map(numbered),
    fetchPage: async (page: number, size: number, after?: string) => {
      const answer = await found.fetchPage(page, size, after)
      return { ...answer, rows: answer.rows.map(numbered) }
    },
  }
  const servers = useServerChoice()
  const [bulk, setBulk] = useState<BulkAct<ResourceRow>>()
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      tabs={<Views name="website-orchestrator" list={list} views={views} />}
    >
      <Together>
        <Stopped />
        <ListTable
          name="website-orchestrator"
          noun={['resource', 'resources']}
          list={list}
          columns={columns}
          card={(row) => <ResourceCard row={row} />}
          label={({ title, name }) => `${title} ${name}`}
          open={resourcePath}
          bulk={(rows) => <RetryButton rows={rows} ask={setBulk} />}
          search={{ key: 'domain', placeholder: 'Domain' }}
          filters={[
            {
              key: 'status',
              label: 'Last action',
              options: statuses.map((status) => ({ value: status, label: stateOf(status).word })),
            },
            { key: 'resourceType', label: 'Type', options: resourceTypes },
            ...servers,
          ]}
          empty={{
            title: 'No resource yet',
            text: 'Resources of websites on the machines are listed here once the first website is created.',
            tag: 'WOR',
          }}
        />
      </Together>
      {bulk && <BulkModal {...bulk} onClose={() => setBulk(undefined)} />}
    </Screen>
  )
}

/** Retries the failed rows of a selection; the dialog says that all others are skipped. */
function RetryButton({ rows, ask }: { rows: ResourceRow[]; ask: (act: BulkAct<ResourceRow>) => void }) {
  const lacks = useReason()(websitesApi.retryAction)
  const failed = rows.filter(({ action }) => action?.status === 'failed' || action?.status === 'blocked')
  const noneFailed = failed.length === 0 ? 'None of these has failed.' : undefined
  const retry = () =>
    ask({
      title: `Retry ${counted(failed.length, ['action', 'actions'])}?`,
      text: [
        'Each failed action runs again, and its workflow continues from there.',
        failed.length < rows.length && `${rows.length - failed.length} of the selected did not fail and are skipped.`,
      ]
        .filter(Boolean)
        .join(' '),
      verb: failed.length === 1 ? 'Retry action' : 'Retry actions',
      rows: failed,
      name: ({ id, title, domain }) => ({ id, name: `${title}, ${domain}` }),
      act: ({ websiteId, resourceType, action }) =>
        websitesApi.retryAction({ id: websiteId, resourceType, action: String(action?.id) }),
      domains: ['workflows', 'websites'],
    })
  return (
    <ActButton size="xs" variant="default" reason={lacks ?? noneFailed} onClick={retry}>
      Retry
    </ActButton>
  )
}
