import { IconPlayerPlay, IconRefresh, IconSettings, IconTemplate } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { PageMenu } from '../../../kit/frame/PageMenu.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { CreateButton } from '../../../kit/list/CreateButton.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { useList } from '../../../kit/list/useList.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { dnsApi } from '../api.ts'
import { useDepartmentOptions } from '../useDepartmentOptions.ts'
import { columns, ZoneCard } from './columns.tsx'
import { ZoneActs } from './ZoneActs.tsx'

const SettingsModal = lazyPart(
  () => import('../SettingsModal.tsx'),
  () => null,
)

const yesNo = (yes: string, no: string) => [
  { value: 'true', label: yes },
  { value: 'false', label: no },
]

export default function ZonesScreen() {
  const list = useList(dnsApi.zones, { filters: ['search', 'active', 'adminOnly', 'department'] })
  const lacking = useReason()
  const navigate = useNavigate()
  const departments = useDepartmentOptions()
  const [settings, setSettings] = useState(false)
  const sync = async () => {
    const started = await attempt(() => dnsApi.sync({}), ['dns', 'workflows'])
    if (started)
      toast.info(
        `${counted(started.zones, ['zone is', 'zones are'])} being compared`,
        `On ${counted(started.servers, ['name server', 'name servers'])}.`,
      )
  }
  const create = (
    <CreateButton call={dnsApi.create} to="/dns/zone/create">
      Add zone
    </CreateButton>
  )
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <>
          {create}
          <PageMenu>
            <MenuAction
              label="Sync name servers"
              icon={<IconRefresh size={15} />}
              reason={lacking(dnsApi.sync)}
              onClick={() => void sync()}
            />
            <MenuAction
              label="Templates"
              icon={<IconTemplate size={15} />}
              onClick={() => void navigate({ to: '/dns/templates' })}
            />
            <MenuAction
              label="Name servers…"
              icon={<IconSettings size={15} />}
              reason={lacking(dnsApi.updateSettings)}
              onClick={() => setSettings(true)}
            />
          </PageMenu>
        </>
      }
    >
      <ListTable
        name="zones"
        noun={['zone', 'zones']}
        list={list}
        columns={columns}
        card={(zone) => <ZoneCard zone={zone} />}
        label={({ domain }) => domain}
        open={({ id }) => `/dns/zone/${id}`}
        menu={(zone) => <ZoneActs zone={zone} />}
        bulk={(rows, clear) => {
          const off = rows.filter(({ active }) => !active)
          const all = async () => {
            for (const { id, version } of off)
              if (!(await attempt(() => dnsApi.activate({ id, version }), ['dns']))) return
            clear()
          }
          return (
            <ActButton
              size="xs"
              variant="default"
              leftSection={<IconPlayerPlay size={14} />}
              reason={lacking(dnsApi.activate) ?? (off.length ? undefined : 'All of these are active.')}
              onClick={() => void all()}
            >
              Activate
            </ActButton>
          )
        }}
        search={{ key: 'search', placeholder: 'Domain' }}
        filters={[
          { key: 'active', label: 'Status', single: true, options: yesNo('Active', 'Not active') },
          { key: 'adminOnly', label: 'Seen by', single: true, options: yesNo('Administrators only', 'Others too') },
          ...(departments.length ? [{ key: 'department', label: 'Department', options: departments }] : []),
        ]}
        empty={{
          title: 'No zone yet',
          text: 'A zone contains the DNS records of a domain: addresses, mail, proofs of ownership. Import a zone file, or start with a template.',
          action: create,
          tag: 'DNS',
        }}
      />
      {settings && <SettingsModal close={() => setSettings(false)} />}
    </Screen>
  )
}
