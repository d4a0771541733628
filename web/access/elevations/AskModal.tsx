import { LONGEST_MINUTES } from '@innkeeper/contract/access/elevations'
import type { Permission } from '@innkeeper/contract/permissions/services'
import { SegmentedControl, Select, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { askForScopes } from '../../kit/access/grantors.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { MultiSelectField } from '../../kit/form/MultiSelectField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { counted } from '../../kit/look/format.ts'
import { elevationsApi } from './api.ts'
import { permissionChoices, spanChoices, wayWords } from './words.ts'

interface Props {
  /** The permissions that a refused screen needs; none: the person chooses. */
  scopes?: readonly string[]
  /** Path of the refused screen. */
  path?: string
  close: () => void
  onAsked?: () => void
}

/** Asks for permissions: for some time, or for good from a screen that needs them. */
export default function AskModal(props: Props) {
  const [forGood, setForGood] = useState(false)
  const choice = props.path !== undefined && (
    <SegmentedControl
      fullWidth
      aria-label="For how long"
      data={[
        { value: 'some', label: 'For some time' },
        { value: 'good', label: 'For good' },
      ]}
      value={forGood ? 'good' : 'some'}
      onChange={(value) => setForGood(value === 'good')}
    />
  )
  return forGood ? <AskForGood {...props} choice={choice} /> : <AskForSomeTime {...props} choice={choice} />
}

type Part = Props & { choice: React.ReactNode }

function AskForSomeTime({ scopes: given, close, onAsked, choice }: Part) {
  const offers = useQuery({ ...elevationsApi.offers.query(), enabled: !given })
  const form = useCallForm(elevationsApi.ask, {
    initial: {
      // the contract's permissions; the server refuses others
      scopes: (given ?? []) as Permission[],
      roleId: null as number | null,
      minutes: 60,
      reason: '',
    },
    labels: { scopes: 'Permissions', roleId: 'Role', minutes: 'For', reason: 'Reason' },
    onDone: ({ state }) => {
      void readAgain(['elevations'])
      toast.success(
        state === 'held' ? 'It began' : 'You asked for it',
        state === 'held' ? 'The bar shows how long it holds.' : 'You are told when somebody decides.',
      )
      onAsked?.()
      close()
    },
  })
  const { scopes, roleId, minutes } = form.values
  const isChosen = roleId !== null || scopes.length > 0
  const terms = useQuery({
    ...elevationsApi.terms.query(roleId === null ? { scopes } : { roleId }),
    enabled: isChosen,
  })
  const roles = offers.data?.items ?? []
  const choosePermissions = form.field('scopes')
  return (
    <FormModal opened close={close} title="Ask for permissions" save="Ask" form={form} nothing="Nobody was asked.">
      {choice}
      {!given && roles.length > 0 && (
        <Select
          label="Role"
          description="Roles that rules offer you; or choose permissions"
          placeholder="None"
          clearable
          data={roles.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={roleId === null ? null : String(roleId)}
          onChange={(chosen) => form.set('roleId', chosen === null ? null : Number(chosen))}
          error={form.field('roleId').error}
        />
      )}
      {!given && roleId === null && (
        <MultiSelectField
          label="Permissions"
          searchable
          data={permissionChoices}
          {...choosePermissions}
          onChange={(chosen) => choosePermissions.onChange(chosen as Permission[])} // only permissions can be chosen
        />
      )}
      <Select
        label="For"
        allowDeselect={false}
        data={spanChoices(terms.data?.maxMinutes ?? LONGEST_MINUTES)}
        value={String(minutes)}
        onChange={(chosen) => chosen && form.set('minutes', Number(chosen))}
        error={form.field('minutes').error}
      />
      <Textarea
        label="Reason"
        description="Whoever decides reads it, and the action log keeps it"
        autosize
        minRows={2}
        data-autofocus
        {...form.text('reason')}
      />
      <Text c="dimmed" fz="xs" mih={18}>
        {terms.data &&
          (terms.data.way === 'never'
            ? 'A rule says that nobody gets these for some time.'
            : `${wayWords[terms.data.way]}.`)}
      </Text>
    </FormModal>
  )
}

function AskForGood({ scopes = [], path = '/', close, onAsked, choice }: Part) {
  const form = useCallForm(askForScopes, {
    initial: { reason: '' },
    fixed: { scopes: [...scopes], path },
    labels: { reason: 'Reason' },
    onDone: ({ asked }) => {
      void readAgain(['notifications'])
      toast.success('Asked', `${counted(asked, ['person', 'people'])} can grant it.`)
      onAsked?.()
      close()
    },
  })
  return (
    <FormModal opened close={close} title="Ask for permissions" save="Ask" form={form} nothing="Nobody was asked.">
      {choice}
      <Textarea label="Reason" autosize minRows={2} data-autofocus {...form.text('reason')} />
      <Text c="dimmed" fz="xs">
        Somebody who has them gives you a role with them, or says no.
      </Text>
    </FormModal>
  )
}
