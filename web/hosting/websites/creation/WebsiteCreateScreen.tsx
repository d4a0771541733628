import { Checkbox, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { environmentChoices } from '../../../kit/look/environments.ts'
import { WhatWillRun } from '../../../kit/workflow/WhatWillRun.tsx'
import { ServerField } from '../../../machines/servers/choice/ServerField.tsx'
import { OwnerField } from '../../owners/OwnerField.tsx'
import { PlanTable, usePlans } from '../../plans/PlanTable.tsx'
import { websitesApi } from '../api.ts'
import { ExtensionChoice } from './ExtensionChoice.tsx'
import { GroupField } from './GroupField.tsx'
import { consequence, emptyForm, type Requested } from './requested.ts'
import { SystemUserField } from './SystemUserField.tsx'
import { usePlan } from './usePlan.ts'

const labels = { domain: 'Domain', userId: 'Owner', originServer: 'Server', plan: 'Plan', systemUser: 'System user' }
const certificateChoices = [
  { value: '' as const, label: 'Not yet' },
  { value: 'lets-encrypt' as const, label: 'Let’s Encrypt: its names have to lead to the server' },
  { value: 'self-signed' as const, label: 'Self-signed: browsers warn' },
]
const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

export default function WebsiteCreateScreen() {
  const navigate = useNavigate()
  const form = useCallForm(websitesApi.create, {
    initial: emptyForm,
    labels,
    onDone: async ({ data }) => {
      await navigate({ to: '/websites/$id', params: { id: String(data.id) } })
      void readAgain(['websites', 'workflows'])
    },
  })
  const { values, set, field, text } = form
  const lacking = useReason()
  const plan = usePlan(values, form.busy)
  const versions = useVersions(values.plan)
  const withPlan = <K extends keyof Requested>(key: K) => {
    const { required: _, ...props } = field(key)
    return { ...props, error: props.error ?? plan.problems[key] }
  }
  const chooseOwner = (id: number | undefined) => {
    set('userId', id)
    // a group belongs to one owner
    set('groupId', undefined)
  }
  const choosePlan = (id: string) => {
    set('plan', Number(id))
    // another plan may lack that version
    set('phpVersion', '')
    set('extensionsOn', [])
    set('extensionsOff', [])
  }
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      width="100%"
      side={
        <WhatWillRun
          actions={plan.actions}
          left={values.excludeActions}
          onChange={(left) => set('excludeActions', left)}
          failed={plan.failed}
        />
      }
      left={consequence(plan.actions, values.excludeActions)}
      save="Create website"
      onCancel={() => void navigate({ to: '/websites' })}
    >
      <TextInput
        label="Domain"
        withAsterisk
        description="www is added automatically"
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        styles={mono}
        {...text('domain')}
        error={withPlan('domain').error}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={14} verticalSpacing={18}>
        <OwnerField {...withPlan('userId')} onChange={chooseOwner} />
        <GroupField ownerId={values.userId} {...withPlan('groupId')} />
        <ServerField {...withPlan('originServer')} />
        <SystemUserField {...withPlan('systemUser')} suggested={plan.username} reused={plan.reused} />
      </SimpleGrid>
      <PlanTable
        value={values.plan === undefined ? '' : String(values.plan)}
        onChange={choosePlan}
        error={withPlan('plan').error}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={14} verticalSpacing={18}>
        <Select
          label="PHP"
          allowDeselect={false}
          disabled={versions.length === 0}
          placeholder="Follows from the plan"
          data={versions}
          {...withPlan('phpVersion')}
          value={values.phpVersion || versions[0] || null}
          onChange={(version) => set('phpVersion', version ?? '')}
        />
        <Select
          label="Environment"
          allowDeselect={false}
          data={environmentChoices}
          {...withPlan('websiteEnvironment')}
          onChange={(environment) => set('websiteEnvironment', environment ?? 'production')}
        />
      </SimpleGrid>
      <ExtensionChoice
        serverId={values.originServer}
        phpVersion={values.phpVersion || versions[0] || ''}
        value={values}
        onChange={({ extensionsOn, extensionsOff }) => {
          set('extensionsOn', extensionsOn)
          set('extensionsOff', extensionsOff)
        }}
        error={withPlan('extensionsOn').error}
      />
      <Checkbox
        label="With a MariaDB database"
        description={
          lacking('database:database:create') ??
          'Its name and account are derived from the domain. A database can also be added later.'
        }
        disabled={lacking('database:database:create') !== undefined}
        checked={values.database}
        onChange={(event) => set('database', event.currentTarget.checked)}
      />
      <Checkbox
        label="With mail"
        description={
          lacking('mailbox:mailbox:create') ??
          'On its server if that has mail, else on the mail server with the fewest mail domains. Mailboxes and the records for mail follow on its page.'
        }
        disabled={lacking('mailbox:mailbox:create') !== undefined}
        error={withPlan('mail').error}
        checked={values.mail}
        onChange={(event) => set('mail', event.currentTarget.checked)}
      />
      <Checkbox
        label="With its DNS records"
        description={lacking('dns:record:update') ?? dnsHint(plan.zone)}
        disabled={lacking('dns:record:update') !== undefined || plan.zone === null}
        checked={values.dns && plan.zone !== null}
        onChange={(event) => set('dns', event.currentTarget.checked)}
      />
      <Select
        label="https"
        description={lacking('ssl:cert:create') ?? 'A certificate is ordered once the website answers'}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        allowDeselect={false}
        disabled={lacking('ssl:cert:create') !== undefined}
        data={certificateChoices}
        {...field('certificate')}
        onChange={(certificate) => set('certificate', certificate ?? '')}
      />
    </FormScreen>
  )
}

/** PHP versions of the chosen plan, the default first. */
function useVersions(planId: number | undefined): string[] {
  const { data } = usePlans()
  return data?.items.find(({ id }) => id === planId)?.phpVersions ?? []
}

/** Describes the zone for the records and the records that would be replaced. */
function dnsHint(zone: ReturnType<typeof usePlan>['zone']): string {
  if (!zone) return 'No zone of Innkeeper contains this name: its records are managed elsewhere.'
  const now = zone.now.length ? ` The name leads to ${zone.now.join(', ')} now: those records are replaced.` : ''
  return `In our zone ${zone.domain}: the name and its www lead to the server of the website.${now}`
}
