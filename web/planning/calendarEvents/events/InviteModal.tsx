import type { User } from '@innkeeper/contract/access/users/shapes'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { departmentsApi } from '../../../access/departments/api.ts'
import { usersApi } from '../../../access/users/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { counted } from '../../../kit/look/format.ts'
import { eventsApi } from '../api.ts'

/** Invites single people, or a whole department. */
export function InviteModal({ eventId, close }: { eventId: number; close: () => void }) {
  const lacking = useReason()
  const [people, setPeople] = useState<User[]>([])
  const form = useCallForm(eventsApi.inviteMany, {
    initial: { userIds: [] as number[], departmentId: null as number | null },
    fixed: { eventId },
    onDone: ({ invited }) => {
      void readAgain(['calendarEvents'])
      toast.success(
        invited ? `${counted(invited, ['person is', 'people are'])} invited` : 'All of them were invited already',
      )
      close()
    },
  })
  const set = (next: User[]) => {
    setPeople(next)
    form.set(
      'userIds',
      next.map(({ id }) => id),
    )
  }
  const isEmpty = people.length === 0 && form.values.departmentId === null
  return (
    <FormModal
      opened
      close={close}
      title="Invite people"
      save="Invite"
      form={{ ...form, valid: form.valid && !isEmpty }}
      nothing="Nobody was invited."
    >
      <PickOne
        key={people.length} // resets the field after each added person
        label="Person"
        placeholder="Name, user name or e-mail"
        call={usersApi.list}
        nameOf={({ name }) => name}
        hint={({ departmentName }) => departmentName}
        closed={({ id }) => (form.values.userIds.includes(id) ? 'Chosen already' : undefined)}
        reason={lacking(usersApi.list)}
        value={null}
        onChange={(_, user) => user && set([...people, user])}
        error={form.field('userIds').error}
      />
      {people.length > 0 && (
        <Stack gap={6}>
          {people.map((user) => (
            <Group key={user.id} justify="space-between" wrap="nowrap">
              <Text truncate>{user.name}</Text>
              <Button
                size="compact-sm"
                variant="subtle"
                color="secondary"
                aria-label={`Leave out ${user.name}`}
                onClick={() => set(people.filter(({ id }) => id !== user.id))}
              >
                Leave out
              </Button>
            </Group>
          ))}
        </Stack>
      )}
      <PickOne
        label="Department"
        placeholder="None"
        description="All its present members"
        call={departmentsApi.list}
        nameOf={({ name }) => name}
        reason={lacking(departmentsApi.list)}
        value={form.values.departmentId}
        onChange={(id) => form.set('departmentId', id)}
        error={form.field('departmentId').error}
      />
    </FormModal>
  )
}
