import { type ElevationRule, elevationWays } from '@innkeeper/contract/access/elevations'
import type { Permission } from '@innkeeper/contract/permissions/services'
import { Button, Select } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { succeeds } from '../../kit/api/attempt.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { MultiSelectField } from '../../kit/form/MultiSelectField.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { rolesApi } from '../roles/api.ts'
import { elevationsApi } from './api.ts'
import { permissionChoices, spanChoices, spanText, wayWords, whatOf } from './words.ts'

/** Who gets what for some time, and how. */
export default function ElevationRulesScreen() {
  const query = useQuery(elevationsApi.rules.query())
  const lacking = useReason()
  const [adding, setAdding] = useState(false)
  const reason = lacking(elevationsApi.createRule)
  const remove = async (rule: ElevationRule) => {
    const sure = await confirm({
      title: 'Remove this rule?',
      text: `${whatOf(rule)}, for ${rule.forRoleName ?? 'everybody'}. Elevations that are held keep their time.`,
      verb: 'Remove rule',
      danger: true,
    })
    if (sure && (await succeeds(() => elevationsApi.removeRule({ id: rule.id }), ['elevations'])))
      toast.success('The rule is removed')
  }
  const add = (
    <ActButton reason={reason} leftSection={<IconPlus size={15} />} onClick={() => setAdding(true)}>
      Add rule
    </ActButton>
  )
  return (
    <Screen query={query} actions={add} meta="Without a rule, a second person decides, and eight hours are the longest">
      <Section
        title="Rules"
        hint="one for a role comes before one for everybody, and then the stricter one"
        pad={false}
      >
        <SectionTable<ElevationRule>
          label="Rules of elevation"
          rows={query.data?.items ?? []}
          keyOf={({ id }) => id}
          empty="None yet. Add one so that people get rarely needed permissions at once, or never."
          columns={[
            { title: 'What', cell: (rule) => <span title={rule.scopes.join('\n')}>{whatOf(rule)}</span> },
            { title: 'For', cell: ({ forRoleName }) => (forRoleName ? `Role ${forRoleName}` : 'Everybody') },
            { title: 'How', cell: ({ way }) => wayWords[way] },
            { title: 'At most', cell: ({ way, maxMinutes }) => (way === 'never' ? '' : spanText(maxMinutes)) },
            {
              title: '',
              width: 110,
              cell: (rule) =>
                !reason && (
                  <Button size="xs" variant="default" onClick={() => void remove(rule)}>
                    Remove…
                  </Button>
                ),
            },
          ]}
        />
      </Section>
      {adding && <AddModal close={() => setAdding(false)} />}
    </Screen>
  )
}

function AddModal({ close }: { close: () => void }) {
  const form = useCallForm(elevationsApi.createRule, {
    initial: {
      way: 'second-person' as ElevationRule['way'],
      roleId: null as number | null,
      scopes: [] as Permission[],
      forRoleId: null as number | null,
      maxMinutes: 240,
    },
    labels: { way: 'How', roleId: 'Role', scopes: 'Permissions', forRoleId: 'For people with', maxMinutes: 'At most' },
    onDone: () => {
      void readAgain(['elevations'])
      toast.success('The rule is added')
      close()
    },
  })
  const scopes = form.field('scopes')
  return (
    <FormModal
      opened
      close={close}
      title="Add rule of elevation"
      save="Add rule"
      form={form}
      nothing="Nothing was added."
    >
      <PickOne
        label="Role"
        placeholder="None: permissions"
        description="Whose permissions people get for some time"
        call={rolesApi.list}
        nameOf={(role) => role.name}
        hint={(role) => role.description}
        {...form.field('roleId')}
      />
      {form.values.roleId === null && (
        <MultiSelectField
          label="Permissions"
          searchable
          data={permissionChoices}
          {...scopes}
          onChange={(chosen) => scopes.onChange(chosen as Permission[])} // only permissions can be chosen
        />
      )}
      <PickOne
        label="For people with"
        placeholder="Everybody"
        call={rolesApi.list}
        nameOf={(role) => role.name}
        hint={(role) => role.description}
        {...form.field('forRoleId')}
      />
      <Select
        label="How"
        allowDeselect={false}
        data={elevationWays.map((value) => ({ value, label: wayWords[value] }))}
        value={form.values.way}
        onChange={(chosen) => chosen && form.set('way', chosen)}
      />
      {form.values.way !== 'never' && (
        <Select
          label="At most"
          allowDeselect={false}
          data={spanChoices(10_080)}
          value={String(form.values.maxMinutes)}
          onChange={(chosen) => chosen && form.set('maxMinutes', Number(chosen))}
        />
      )}
    </FormModal>
  )
}
