import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import { Checkbox, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { FormNotes } from '../../../kit/form/FormNotes.tsx'
import { MomentField } from '../../../kit/form/MomentField.tsx'
import type { FieldProps, useCallForm } from '../../../kit/form/useCallForm.ts'
import { Wizard } from '../../../kit/form/Wizard.tsx'
import { counted } from '../../../kit/look/format.ts'
import { ServerField } from '../../../machines/servers/choice/ServerField.tsx'
import { movesApi } from '../api.ts'
import { soaks } from '../words.ts'
import { AccountField, Members } from './MoveTargets.tsx'
import { PhasePlan } from './PhasePlan.tsx'

interface Props {
  title: string
  /** Website of the preflight; with `group`, all members of its group. */
  websiteId: number
  group?: boolean
  target: FieldProps<number | undefined>
  /** The account on the target server; a group has none of its own. */
  account?: FieldProps<number | undefined>
  soak: FieldProps<number>
  /** Whether staging copies are moved too. */
  copies: FieldProps<boolean>
  /** When the move begins without a person; undefined: at once. */
  begins: FieldProps<string | undefined>
  form: Pick<ReturnType<typeof useCallForm<Endpoint, Record<string, unknown>>>, 'busy' | 'save'> &
    Parameters<typeof FormNotes>[0]['form']
  /** The server that the websites are on. */
  from: number | undefined
  /** Further fields of the first step. */
  children?: ReactNode
  close: () => void
}

/** Wizard with target, preflight and plan. Nothing starts before the last step. */
export function MoveWizard(props: Props) {
  const { title, websiteId, group = false, target, account, soak, copies, begins, form, from, children, close } = props
  const targetServerId = target.value ?? 0
  const look = useQuery({
    ...movesApi.preflight.query({
      id: websiteId,
      targetServerId,
      targetAccountId: account?.value === undefined ? undefined : String(account.value),
      group: group ? 'true' : undefined,
      withCopies: copies.value ? undefined : 'false',
    }),
    enabled: target.value !== undefined,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const findings = look.data?.findings ?? []
  const blockers = findings.filter(({ level }) => level === 'blocker').length
  const isClear = look.data !== undefined && !look.isFetching && blockers === 0
  const { required: _, ...server } = target
  return (
    <Dialog opened onClose={close} title={title} size={760} closeOnClickOutside={false}>
      <Wizard
        busy={form.busy}
        onCancel={close}
        onFinish={form.save}
        steps={[
          {
            title: 'Where to',
            done: target.value !== undefined,
            wanting: 'Choose the server that it moves to',
            content: (
              <Stack gap={18} pb={14}>
                <FormNotes form={form} nothing="Nothing was started." />
                {children}
                <ServerField
                  {...server}
                  now={from}
                  onChange={(id) => {
                    account?.onChange(undefined) // accounts belong to one server
                    server.onChange(id)
                  }}
                />
                {account && <AccountField account={account} accounts={look.data?.accounts ?? []} />}
                <Select
                  label="Observation"
                  description="How long the old server forwards to the new one and keeps everything: until DNS has settled"
                  allowDeselect={false}
                  data={soaks}
                  value={String(soak.value)}
                  onChange={(hours) => soak.onChange(Number(hours))}
                />
                <Checkbox
                  label="Staging copies move along"
                  description="Otherwise they stay where they are, with their files and databases, and cannot be merged until they are moved too"
                  checked={copies.value}
                  onChange={({ currentTarget }) => copies.onChange(currentTarget.checked)}
                  error={copies.error}
                />
                <MomentField
                  label="Begin"
                  description="Empty: at once. Otherwise at this time, after both servers were checked again"
                  {...begins}
                  value={begins.value ?? ''}
                  onChange={(moment) => begins.onChange(moment || undefined)}
                />
              </Stack>
            ),
          },
          {
            title: 'Preflight',
            done: isClear,
            wanting: look.isFetching
              ? 'Both servers are being asked'
              : blockers
                ? `${counted(blockers, ['problem blocks', 'problems block'])} it`
                : 'The check has to run first',
            content: (
              <Stack gap={14} pb={14} mih={220}>
                {look.error && <Text c="var(--mantine-color-error-text)">{look.error.message}</Text>}
                {look.isFetching && <Text c="dimmed">Asking both servers…</Text>}
                {look.data && !look.isFetching && <Members members={look.data.members} />}
              </Stack>
            ),
          },
          {
            title: 'Begin',
            done: isClear,
            content: (
              <Stack gap={14} pb={14}>
                <Text>
                  Visitors are served throughout, except for a freeze at the end: then they read that the website is
                  moving. The freeze lasts while the latest changes are copied, and its length is shown.
                </Text>
                <PhasePlan actions={look.data?.actions ?? []} />
              </Stack>
            ),
          },
        ]}
      />
    </Dialog>
  )
}
