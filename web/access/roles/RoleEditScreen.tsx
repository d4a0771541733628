import type { Role } from '@innkeeper/contract/access/roles'
import { isPermission } from '@innkeeper/contract/permissions/services'
import { Skeleton, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { counted } from '../../kit/look/format.ts'
import { rolesApi } from './api.ts'
import { EffectLines } from './EffectLines.tsx'
import { labels, RoleForm } from './RoleForm.tsx'

export default numbered('roleId', RoleEditScreen)

function RoleEditScreen({ id }: { id: number }) {
  const query = useQuery(rolesApi.one.query({ id }))
  return query.data ? <Form role={query.data} /> : <Screen query={query}>{null}</Screen>
}

const ofContract = (scopes: Role['scopes']) => scopes.filter(isPermission).sort()

function Form({ role }: { role: Role }) {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/roles' })
  const opened = useOpened(role)
  const { id, name, description, departmentId, departmentName, requiresSecondFactor, scopes, version } = opened
  const { sessionHours, sessionIdleMinutes } = opened
  const form = useCallForm(rolesApi.update, {
    initial: {
      name,
      description: description ?? '',
      departmentId,
      requiresSecondFactor,
      sessionHours,
      sessionIdleMinutes,
      scopes: ofContract(scopes),
      version,
    },
    fixed: { id },
    labels,
    valuesOf: (stored: Role) => ({ scopes: ofContract(stored.scopes) }),
    onDone: (saved) => {
      void readAgain(['roles', 'users'])
      toast.success(`${saved.name} is saved`, 'The change applies to everybody with this role at once.')
      toList()
    },
  })
  const people = counted(role.people, ['person holds', 'people hold'])
  return (
    <RoleForm
      screen={{
        form,
        nothing: 'Nothing was saved.',
        edits: true,
        title: role.name,
        meta: `${people} this role`,
        left: `${people} it: the change applies to them at once.`,
        save: 'Save role',
        onCancel: toList,
      }}
      name={form.text('name')}
      description={form.text('description')}
      department={form.field('departmentId')}
      departmentName={departmentName}
      secondFactor={form.field('requiresSecondFactor')}
      sessionHours={form.field('sessionHours')}
      sessionIdleMinutes={form.field('sessionIdleMinutes')}
      scopes={form.field('scopes')}
      before={scopes}
      effect={<Change id={id} scopes={form.values.scopes} />}
    />
  )
}

/** What the chosen permissions would take and give; requested after a pause between clicks. */
function Change({ id, scopes }: { id: number; scopes: Role['scopes'] }) {
  const [asked] = useDebouncedValue(scopes.filter(isPermission), 250)
  const { data, error, isPending } = useQuery({
    ...rolesApi.preview.query({ id, scopes: asked }),
    placeholderData: keepPreviousData,
  })
  return (
    <Section title="What this changes" hint="when it is saved">
      {isPending && <Skeleton h={34} />}
      {error && <Text c="error">{error.message}</Text>}
      {data && data.gives.length + data.takes.length === 0 && <Text c="dimmed">No permission changes.</Text>}
      {data && <EffectLines effect={data} />}
    </Section>
  )
}
