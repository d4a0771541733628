import type { ZoneView } from '@innkeeper/contract/net/dns/calls'
import { IconPlus, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { PageMenu } from '../../../kit/frame/PageMenu.tsx'
import { PageTabs, useTab } from '../../../kit/frame/PageTabs.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { SectionBars } from '../../../kit/frame/SectionBars.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { useLastWorkflow } from '../../../machines/workflows/useLastWorkflow.ts'
import { dnsApi } from '../api.ts'
import { add } from '../records/draft.ts'
import { Records } from '../records/Records.tsx'
import { useDraft } from '../records/useDraft.ts'
import { standing } from '../words.ts'
import { ZoneActs } from './ZoneActs.tsx'
import { ZoneMeta } from './ZoneMeta.tsx'

const NameServers = lazyPart(() => import('./NameServers.tsx'), SectionBars)
const Changes = lazyPart(() => import('./Changes.tsx'), SectionBars)
const ZoneSettings = lazyPart(() => import('./ZoneSettings.tsx'), SectionBars)
const none = () => null
const ImportModal = lazyPart(() => import('../records/ImportModal.tsx'), none)
const TemplateModal = lazyPart(() => import('../templates/TemplateModal.tsx'), none)

export default numbered('id', ZonePage)

function ZonePage({ id }: { id: number }) {
  const query = useQuery(dnsApi.zone.query({ id }))
  if (query.data) return <Loaded zone={query.data} />
  return (
    <Screen query={query} title="Zone">
      {null}
    </Screen>
  )
}

const tabs = { records: 'Records', servers: 'Name servers', changes: 'Changes', settings: 'Settings' }

function Loaded({ zone }: { zone: ZoneView }) {
  const lacking = useReason()
  const workflow = useLastWorkflow('zone', zone.id) ?? undefined
  const edit = useDraft(zone)
  const [open, setOpen] = useState<'import' | 'template'>()
  const [tab, show] = useTab(tabs)
  const navigate = useNavigate()
  const reason = lacking(dnsApi.updateRecords)
  const { state, label } = standing(zone, workflow)
  return (
    <Screen
      scroll={tab !== 'records'}
      title={zone.domain}
      mono
      badge={<StatusBadge pill state={state} label={label} />}
      meta={<ZoneMeta zone={zone} />}
      actions={
        <>
          <ActButton
            visibleFrom="sm"
            variant="default"
            leftSection={<IconUpload size={15} />}
            reason={reason}
            onClick={() => setOpen('import')}
          >
            Import…
          </ActButton>
          <ActButton
            leftSection={<IconPlus size={15} />}
            reason={reason}
            onClick={() => {
              edit.set(add(edit.draft))
              if (tab !== 'records') show(null)
            }}
          >
            Add record
          </ActButton>
          <PageMenu>
            <ZoneActs
              zone={zone}
              served={zone.servers.length > 0}
              onImport={() => setOpen('import')}
              onTemplate={() => setOpen('template')}
              onRemoved={() => void navigate({ to: '/dns' })}
            />
          </PageMenu>
        </>
      }
      tabs={<PageTabs of={tabs} at={tab} show={show} />}
    >
      {tab === 'records' && <Records zone={zone} edit={edit} />}
      {tab === 'servers' && <NameServers zone={zone} workflow={workflow} />}
      {tab === 'changes' && <Changes zone={zone} />}
      {tab === 'settings' && <ZoneSettings zone={zone} />}
      {open === 'import' && <ImportModal zone={zone} close={() => setOpen(undefined)} />}
      {open === 'template' && <TemplateModal zone={zone} close={() => setOpen(undefined)} />}
    </Screen>
  )
}
