import type { Provider, SignInSettings } from '@innkeeper/contract/access/providers'
import { Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormNotes } from '../../kit/form/FormNotes.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, count } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable, type TableColumn } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { usersApi } from '../users/api.ts'
import { providersApi } from './api.ts'

/** How people sign in: identity providers, passwords, and what happens when a factor is lost. */
export default function SignInScreen() {
  const query = useQuery(providersApi.list.query())
  const settings = useQuery(providersApi.settings.query())
  const create = (
    <CreateButton call={providersApi.create} to="/sign-in/create">
      Add identity provider
    </CreateButton>
  )
  return (
    <Screen query={query} actions={create} meta="Identity providers, passwords, and recovery">
      <Stack gap={16}>
        <Section title="Identity providers" hint="people sign in with the account of your organisation" pad={false}>
          <SectionTable
            label="Identity providers"
            columns={columns}
            rows={query.data?.items ?? []}
            keyOf={({ id }) => id}
            empty="None yet. Add the one of your organisation: its people then sign in with the account that they have."
          />
        </Section>
        <Section title="Passwords and recovery" hint="for everybody">
          {settings.isPending && <Skeleton h={120} />}
          {settings.error && <Text c="error">{settings.error.message}</Text>}
          {settings.data && <SettingsForm settings={settings.data} />}
        </Section>
      </Stack>
    </Screen>
  )
}

const columns: readonly TableColumn<Provider>[] = [
  {
    title: 'Name',
    cell: ({ id, name }) => (
      <LinkTo to="/sign-in/$providerId" params={{ providerId: String(id) }}>
        {name}
      </LinkTo>
    ),
  },
  { title: 'Issuer', cell: ({ issuer }) => <Mono>{issuer}</Mono> },
  {
    title: 'State',
    width: 110,
    cell: ({ isEnabled }) => <StatusBadge state={isEnabled ? 'active' : 'none'} label={isEnabled ? 'On' : 'Off'} />,
  },
  { title: 'People', width: 90, align: 'right', cell: ({ people }) => <span className="num">{count(people)}</span> },
  {
    title: 'SCIM',
    width: 150,
    cell: ({ scimMadeAt, scimUsedAt }) =>
      scimMadeAt ? (scimUsedAt ? `Used ${ago(scimUsedAt)}` : 'Not used yet') : 'Off',
  },
]

function SettingsForm({ settings }: { settings: SignInSettings }) {
  const lacking = useReason()
  const reason = lacking(providersApi.configure)
  const { passwords, breakGlassId, twoForRecovery, version } = settings
  const form = useCallForm(providersApi.configure, {
    initial: { passwords, breakGlassId, twoForRecovery, version },
    labels: { passwords: 'Passwords', breakGlassId: 'Break-glass administrator', twoForRecovery: 'Recovery' },
    onDone: () => {
      void readAgain(['providers'])
      toast.success('The settings are saved', 'They count from the next sign-in.')
    },
  })
  const on = form.field('passwords')
  const two = form.field('twoForRecovery')
  return (
    <form {...form.form}>
      <Stack gap={16} maw={640}>
        <FormNotes form={form} nothing="Nothing was saved." />
        <Checkbox
          label="Passwords sign in"
          description="Off: people sign in by an identity provider or with a passkey. Only the break-glass administrator keeps the password."
          checked={on.value}
          disabled={Boolean(reason)}
          error={on.error}
          onChange={(event) => on.onChange(event.currentTarget.checked)}
        />
        <PickOne
          label="Break-glass administrator"
          placeholder="Nobody"
          description="Signs in by password whatever happens, for the day on which the identity provider fails"
          call={usersApi.list}
          nameOf={(one) => one.name}
          hint={(one) => (one.isAdmin ? one.username : 'No administrator')}
          closed={(one) => (one.isAdmin ? undefined : 'No administrator')}
          valueName={settings.breakGlassName}
          {...(reason && { reason })}
          {...form.field('breakGlassId')}
        />
        <Checkbox
          label="Two people together recover an account"
          description="One person asks with a reason, another one confirms. Nobody removes a lost second factor alone."
          checked={two.value}
          disabled={Boolean(reason)}
          error={two.error}
          onChange={(event) => two.onChange(event.currentTarget.checked)}
        />
        <Group>
          <ActButton type="submit" loading={form.busy} reason={reason ?? form.lack}>
            Save settings
          </ActButton>
          {reason && <Text c="dimmed">{reason}</Text>}
        </Group>
      </Stack>
    </form>
  )
}
