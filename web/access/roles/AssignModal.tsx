import type { User } from '@innkeeper/contract/access/users/shapes'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { listed } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { toast } from '../../kit/dialogs/toast.ts'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { counted } from '../../kit/look/format.ts'
import { rolesApi } from './api.ts'
import { RoleEffect } from './RoleEffect.tsx'

/** Assigns a role, or none, to people. */
export default function AssignModal({ users, close }: { users: readonly User[]; close: () => void }) {
  const [role, setRole] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const ids = users.map(({ id }) => id)
  const people = counted(users.length, ['person', 'people'])
  const assign = async () => {
    setBusy(true)
    const done = await attempt(() => rolesApi.assign({ users: ids, role }), ['users', 'roles'])
    setBusy(false)
    if (!done) return
    toast.success(`${people} ${users.length === 1 ? 'has' : 'have'} another role`)
    close()
  }
  const named = users.slice(0, 5).map(({ name }) => name)
  return (
    <Dialog opened onClose={close} title={`Give ${people} another role`} size={520}>
      <Stack gap={14}>
        <Text>{listed(users.length > 5 ? [...named, `${users.length - 5} more`] : named)}</Text>
        <PickOne
          label="Role"
          placeholder="None: nothing but their own data"
          call={rolesApi.list}
          nameOf={({ name }) => name}
          hint={({ description }) => description}
          value={role}
          onChange={setRole}
        />
        <RoleEffect users={ids} role={role} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button loading={busy} onClick={() => void assign()}>
            {role === null ? 'Take the role away' : 'Give role'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
