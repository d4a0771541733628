import { NO_RULES } from '@innkeeper/contract/net/edgeRules/rules'
import { Select, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { serversApi } from '../../../machines/servers/api.ts'
import { originVhostsApi, vhostsApi } from '../api.ts'
import { CdnFields } from './CdnFields.tsx'
import { reread } from './cdnActs.ts'
import { EdgePreview } from './EdgePreview.tsx'

const initial = {
  websiteId: undefined as number | undefined,
  serverId: undefined as number | undefined,
  xdn: false,
  minutes: '10' as number | string,
  stale: true,
  rules: { cookies: NO_RULES.cookies },
}

export default function CdnCreateScreen() {
  const navigate = useNavigate()
  const form = useCallForm(vhostsApi.create, {
    initial,
    labels: { websiteId: 'Website', serverId: 'Edge', minutes: 'Minutes' },
    onDone: () => {
      reread()
      void navigate({ to: '/vhost/cdn' })
    },
  })
  const website = form.field('websiteId')
  const server = form.field('serverId')
  const xdn = form.field('xdn')
  const edges = useEdges()
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="The edge counts once a test request to it has succeeded."
      save="Put behind an edge"
      disabled={website.value === undefined}
      onCancel={() => void navigate({ to: '/vhost/cdn' })}
    >
      <PickOne
        label="Website"
        required
        placeholder="Domain"
        call={originVhostsApi.list}
        nameOf={({ domain }) => domain}
        hint={({ ownerName, serverName }) => `${ownerName}, ${serverName}`}
        closed={({ status }) => (status === 'active' ? undefined : `is ${status}`)}
        value={website.value ?? null}
        onChange={(id) => website.onChange(id ?? undefined)}
        onBlur={website.onBlur}
        error={website.error}
      />
      <Select
        label="Edge"
        clearable
        placeholder="The one with the fewest websites"
        description={edges.none}
        data={edges.options}
        value={server.value === undefined ? null : String(server.value)}
        onChange={(id) => server.onChange(id === null ? undefined : Number(id))}
        onBlur={server.onBlur}
        error={server.error}
      />
      <CdnFields
        minutes={form.field('minutes')}
        stale={form.field('stale')}
        rules={form.field('rules')}
        refused={form.refused}
      />
      <Switch
        label="On the XDN as well"
        description="A second network of edges, with addresses of its own"
        checked={xdn.value}
        onChange={(event) => xdn.onChange(event.currentTarget.checked)}
      />
      <Text c="dimmed" fz="xs">
        The edge answers for all names of the website. Visitors reach it once DNS points to its address.
      </Text>
      <EdgePreview requested={form.values} right={form.valid && website.value !== undefined} />
    </FormScreen>
  )
}

/** The servers for edges. Empty without permission to see servers: Innkeeper then takes the least loaded one. */
function useEdges() {
  const lacking = useReason()(serversApi.list)
  const { data } = useQuery({ ...serversApi.list.query({ type: ['cdn'], itemsPerPage: 200 }), enabled: !lacking })
  const options = (data?.items ?? []).map(({ id, name, status, provisioned }) => ({
    value: String(id),
    label: name,
    disabled: status === 'down' || !provisioned,
  }))
  return { options, none: data && !options.length ? 'There is no CDN server yet: add one under Server' : undefined }
}
