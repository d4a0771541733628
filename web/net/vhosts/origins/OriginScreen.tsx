import { webServers, webServerTitles } from '@innkeeper/contract/machines/servers/shapes'
import type { OriginVhost } from '@innkeeper/contract/net/originVhosts/shapes'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { CreateButton } from '../../../kit/list/CreateButton.tsx'
import type { FilterChoice } from '../../../kit/list/filterChoice.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { useList } from '../../../kit/list/useList.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { webTypes } from '../../../machines/servers/choice/availability.ts'
import { useServerChoice } from '../../../machines/servers/choice/useServerChoice.ts'
import { originVhostsApi } from '../api.ts'
import { OriginActs } from './OriginActs.tsx'
import { OriginCard, originColumns } from './originColumns.tsx'

const CompareModal = lazyDialog(() => import('../CompareModal.tsx'))
const ManyModal = lazyDialog(() => import('./ManyModal.tsx'))
const SiteRulesModal = lazyDialog(() => import('./SiteRulesModal.tsx'))
const PhpModal = lazyDialog(() => import('./PhpModal.tsx'))

type Asked = { what: 'change' | 'rules' | 'compare'; vhost: OriginVhost } | { what: 'many'; rows: OriginVhost[] }

export default function OriginScreen() {
  const list = useList(originVhostsApi.list, {
    filters: ['search', 'server', 'webServer', 'phpVersion', 'own', 'seen'],
  })
  const filters = useFilters(list.rows)
  const [asked, ask] = useState<Asked>()
  const lacking = useReason()
  const close = () => ask(undefined)
  const create = (
    <CreateButton call={originVhostsApi.create} to="/vhost/origin/create">
      Set PHP of a website
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="originVhosts"
        noun={['origin vhost', 'origin vhosts']}
        list={list}
        columns={originColumns}
        card={(vhost) => <OriginCard vhost={vhost} />}
        label={({ domain }) => domain}
        open={({ id }) => `/websites/${id}`}
        menu={(vhost) => (
          <OriginActs
            vhost={vhost}
            change={() => ask({ what: 'change', vhost })}
            rules={() => ask({ what: 'rules', vhost })}
            compare={() => ask({ what: 'compare', vhost })}
          />
        )}
        bulk={(rows) => (
          <ActButton
            size="xs"
            variant="default"
            reason={lacking(originVhostsApi.phpOfMany)}
            onClick={() => ask({ what: 'many', rows })}
          >
            Change PHP…
          </ActButton>
        )}
        search={{ key: 'search', placeholder: 'Domain' }}
        filters={filters}
        empty={{
          title: 'No origin vhost yet',
          text: 'Every website has one on its own server: how it is served there, and by which PHP.',
          tag: 'OV',
        }}
      />
      {asked?.what === 'change' && <PhpModal vhost={asked.vhost} close={close} />}
      {asked?.what === 'rules' && <SiteRulesModal vhost={asked.vhost} close={close} />}
      {asked?.what === 'compare' && <CompareModal vhost={asked.vhost} close={close} />}
      {asked?.what === 'many' && <ManyModal rows={asked.rows} close={close} />}
    </Screen>
  )
}

function useFilters(shown: readonly OriginVhost[]): FilterChoice[] {
  const versions = [...new Set(shown.map(({ phpVersion }) => phpVersion))].sort().reverse()
  const choices: FilterChoice[] = [
    ...useServerChoice(webTypes),
    {
      key: 'webServer',
      label: 'Web server',
      options: webServers.map((value) => ({ value, label: webServerTitles[value] })),
    },
    { key: 'phpVersion', label: 'PHP', options: versions.map((value) => ({ value, label: value })) },
    {
      key: 'own',
      label: 'Set',
      single: true,
      options: [
        { value: 'true', label: 'Own settings' },
        { value: 'false', label: 'As everywhere' },
      ],
    },
    {
      key: 'seen',
      label: 'On the server',
      options: [
        { value: 'differs', label: 'Differs' },
        { value: 'same', label: 'As wanted' },
      ],
    },
  ]
  return choices.filter(({ options, call }) => call || options.length > 0)
}
