import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { type BulkAct, BulkModal } from '../../kit/list/BulkModal.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { Views } from '../../kit/list/Views.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { websitesApi } from './api.ts'
import { columns, WebsiteCard } from './columns.tsx'
import { useFilters, views } from './filters.ts'
import { switchableTo } from './page/switching.ts'
import { useSiteActs, WebsiteActs } from './page/WebsiteActs.tsx'

export default function WebsitesScreen() {
  const list = useList(websitesApi.list, {
    filters: ['domain', 'status', 'server', 'userid', 'plan', 'phpVersion', 'kind', 'health'],
  })
  const filters = useFilters(list.rows)
  const [bulk, setBulk] = useState<BulkAct<WebsiteRow>>()
  const { begin, dialog } = useSiteActs()
  const create = (
    <CreateButton call={websitesApi.create} to="/websites/create">
      Create website
    </CreateButton>
  )
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <>
          <ActButton
            visibleFrom="sm"
            variant="default"
            leftSection={<IconRefresh size={15} />}
            onClick={() => void list.refetch()}
          >
            Refresh
          </ActButton>
          {create}
        </>
      }
      tabs={<Views name="websites" list={list} views={views} />}
    >
      <ListTable
        name="websites"
        noun={['website', 'websites']}
        list={list}
        columns={columns}
        card={(website) => <WebsiteCard website={website} />}
        label={({ domain }) => domain}
        open={({ id }) => `/websites/${id}`}
        menu={(website) => <WebsiteActs website={website} begin={begin} />}
        bulk={(rows) => <Bulk rows={rows} ask={setBulk} />}
        search={{ key: 'domain', placeholder: 'Domain' }}
        filters={filters}
        empty={{
          title: 'No website yet',
          text: 'A website is a domain on one of your servers, with its own account, PHP and folder.',
          action: create,
          tag: 'WS',
        }}
      />
      {dialog}
      {bulk && <BulkModal {...bulk} onClose={() => setBulk(undefined)} />}
    </Screen>
  )
}

const texts = {
  suspended: {
    verb: 'Suspend',
    text: 'Their visitors get an answer 503 until they are activated again. Nothing is deleted.',
  },
  active: { verb: 'Activate', text: 'The websites are served again.' },
}

const words = { suspended: 'suspended', active: 'activated' }

function Bulk({ rows, ask }: { rows: WebsiteRow[]; ask: (act: BulkAct<WebsiteRow>) => void }) {
  const reason = useReason()(websitesApi.status)
  const toward = (status: 'suspended' | 'active') => () => {
    const apt = switchableTo(status, rows)
    const left = rows.length - apt.length
    ask({
      title: `${texts[status].verb} ${counted(apt.length, ['website', 'websites'])}?`,
      text: `${texts[status].text}${left ? ` Left out, because this does not apply to them: ${left}.` : ''}`,
      verb: `${texts[status].verb} ${apt.length === 1 ? 'website' : 'websites'}`,
      rows: apt,
      name: ({ id, domain }) => ({ id, name: domain }),
      act: ({ id, version }) => websitesApi.status({ id, status, version }),
      domains: ['websites', 'workflows'],
    })
  }
  const none = (status: 'suspended' | 'active') =>
    switchableTo(status, rows).length ? undefined : `None of the selected websites can be ${words[status]} now.`
  return (
    <>
      <ActButton size="xs" variant="default" reason={reason ?? none('suspended')} onClick={toward('suspended')}>
        Suspend
      </ActButton>
      <ActButton size="xs" variant="default" reason={reason ?? none('active')} onClick={toward('active')}>
        Activate
      </ActButton>
    </>
  )
}
