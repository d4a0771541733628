import type { Vhost } from '@innkeeper/contract/net/vhosts/shapes'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { type BulkAct, BulkModal } from '../../../kit/list/BulkModal.tsx'
import { CreateButton } from '../../../kit/list/CreateButton.tsx'
import type { FilterChoice } from '../../../kit/list/filterChoice.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { useList } from '../../../kit/list/useList.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { useServerChoice } from '../../../machines/servers/choice/useServerChoice.ts'
import { vhostsApi } from '../api.ts'
import { CdnActs } from './CdnActs.tsx'
import { type CdnDialog, CdnDialogs } from './CdnDialogs.tsx'
import { domains } from './cdnActs.ts'
import { CdnCard, cdnColumns } from './cdnColumns.tsx'

export default function CdnScreen() {
  const list = useList(vhostsApi.list, { filters: ['search', 'server', 'cdn', 'xdn', 'seen'] })
  const filters = useFilters()
  const [asked, ask] = useState<CdnDialog>()
  const [bulk, setBulk] = useState<BulkAct<Vhost>>()
  const lacking = useReason()
  const create = (
    <CreateButton call={vhostsApi.create} to="/vhost/cdn/create">
      Put behind an edge
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
            leftSection={<IconArrowsDiff size={15} />}
            reason={lacking(vhostsApi.resync)}
            onClick={() => ask({ what: 'resync' })}
          >
            Compare edges…
          </ActButton>
          {create}
        </>
      }
    >
      <ListTable
        name="vhosts"
        noun={['website', 'websites']}
        list={list}
        columns={cdnColumns}
        card={(vhost) => <CdnCard vhost={vhost} />}
        label={({ domain }) => domain}
        open={({ websiteId }) => `/websites/${websiteId}`}
        menu={(vhost) => <CdnActs vhost={vhost} ask={ask} />}
        bulk={(rows) => (
          <>
            <ActButton
              size="xs"
              variant="default"
              reason={lacking(vhostsApi.clear)}
              onClick={() => setBulk(forgetting(rows))}
            >
              Forget pages
            </ActButton>
            <ActButton
              size="xs"
              variant="default"
              reason={lacking(vhostsApi.resync)}
              onClick={() => ask({ what: 'resync', ids: rows.map(({ id }) => id) })}
            >
              Compare…
            </ActButton>
          </>
        )}
        search={{ key: 'search', placeholder: 'Domain' }}
        filters={filters}
        empty={{
          title: 'No website is behind an edge yet',
          text: 'An edge is a server in front of a website that caches its answers. DNS has to send visitors to the edge.',
          action: create,
          tag: 'CD',
        }}
      />
      <CdnDialogs asked={asked} close={() => ask(undefined)} />
      {bulk && <BulkModal {...bulk} onClose={() => setBulk(undefined)} />}
    </Screen>
  )
}

const forgetting = (rows: Vhost[]): BulkAct<Vhost> => ({
  title: `Clear all cached pages of ${counted(rows.length, ['website', 'websites'])}?`,
  text: 'Edges fetch each page again on its next request, so the load on the servers of the websites rises for a while.',
  verb: 'Clear pages',
  rows,
  name: ({ id, domain }) => ({ id, name: domain }),
  act: ({ id }) => vhostsApi.clear({ id }),
  domains,
})

const onOff = [
  { value: 'true', label: 'On' },
  { value: 'false', label: 'Off' },
]

function useFilters(): FilterChoice[] {
  return [
    ...useServerChoice(['cdn', 'xdn'], 'Edge'),
    { key: 'cdn', label: 'CDN', single: true, options: onOff },
    { key: 'xdn', label: 'XDN', single: true, options: onOff },
    {
      key: 'seen',
      label: 'On its edges',
      options: [
        { value: 'differs', label: 'Differs' },
        { value: 'same', label: 'As wanted' },
      ],
    },
  ]
}
