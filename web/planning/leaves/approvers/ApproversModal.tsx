import type { LeaveApprovers } from '@innkeeper/contract/planning/leaves/calls'
import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { usersApi } from '../../../access/users/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { leavesApi } from '../api.ts'
import { nameOf } from './nameOf.ts'

interface Approver {
  userId: number
  substituteId: number | null
}

const ownOf = ({ inherited, approvers }: LeaveApprovers) => (inherited ? [] : approvers)
const valuesOf = (list: LeaveApprovers) => ({
  approvers: ownOf(list).map(({ userId, substituteId }): Approver => ({ userId, substituteId })),
})
const namesOf = (list: LeaveApprovers) =>
  new Map(
    ownOf(list).flatMap(({ userId, name, substituteId, substituteName }) => [
      [userId, name] as const,
      ...(substituteId === null ? [] : [[substituteId, substituteName ?? ''] as const]),
    ]),
  )

/** Edits a list of approvers as a whole: their order and their deputies. */
export function ApproversModal({ list, close }: { list: LeaveApprovers; close: () => void }) {
  const [names, setNames] = useState(namesOf(list))
  const form = useCallForm(leavesApi.setApprovers, {
    initial: {
      departmentId: list.departmentId,
      ...valuesOf(list),
      version: list.version,
    },
    labels: { approvers: 'Approvers' },
    valuesOf,
    onMerged: (_, stored: LeaveApprovers) => setNames((now) => new Map([...now, ...namesOf(stored)])),
    onDone: (saved) => {
      void readAgain(['leaves'])
      toast.success(`${nameOf(saved)}: the approvers are saved`)
      close()
    },
  })
  const { approvers } = form.values
  const reason = useReason()(usersApi.list)
  const known = (id: number | null, name?: string) => {
    if (id !== null && name) setNames((now) => new Map(now).set(id, name))
  }
  const put = (next: Approver[]) => form.set('approvers', next)
  return (
    <FormModal
      opened
      close={close}
      title={`Approvers, ${nameOf(list)}`}
      save="Save approvers"
      form={form}
      nothing="Nothing was saved."
    >
      <Stack gap={14}>
        {approvers.map((approver, n) => (
          <Group key={approver.userId} gap={8} align="flex-end" wrap="nowrap">
            <Stack gap={2} style={{ flex: 1 }} miw={0}>
              <Text fw={500}>{names.get(approver.userId)}</Text>
              <PickOne
                label={`Substitute of ${names.get(approver.userId)}`}
                placeholder="Nobody"
                call={usersApi.list}
                nameOf={({ name }) => name}
                hint={({ departmentName }) => departmentName}
                closed={({ id }) => (id === approver.userId ? 'Nobody is their own substitute' : undefined)}
                value={approver.substituteId}
                valueName={approver.substituteId === null ? null : names.get(approver.substituteId)}
                reason={reason}
                onChange={(id, user) => {
                  known(id, user?.name)
                  put(approvers.with(n, { ...approver, substituteId: id }))
                }}
              />
            </Stack>
            <ActionIcon
              size={32}
              aria-label={`Take ${names.get(approver.userId)} out`}
              onClick={() => put(approvers.filter((one) => one !== approver))}
            >
              <IconTrash size={15} />
            </ActionIcon>
          </Group>
        ))}
        <PickOne
          key={approvers.length} // resets the field after each added person
          label="Add an approver"
          placeholder="Name, user name or e-mail"
          call={usersApi.list}
          nameOf={({ name }) => name}
          hint={({ departmentName }) => departmentName}
          closed={({ id }) => (approvers.some(({ userId }) => userId === id) ? 'Is named already' : undefined)}
          value={null}
          reason={reason}
          error={form.field('approvers').error}
          onChange={(id, user) => {
            if (id === null) return
            known(id, user?.name)
            put([...approvers, { userId: id, substituteId: null }])
          }}
        />
        {list.departmentId !== null && approvers.length > 0 && (
          <Button variant="subtle" color="secondary" size="xs" onClick={() => put([])}>
            Leave it to the default
          </Button>
        )}
      </Stack>
    </FormModal>
  )
}
