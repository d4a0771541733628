import type { User } from '@innkeeper/contract/access/users/shapes'
import { Button, Group, List, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { succeeds } from '../../../kit/api/attempt.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { toast } from '../../../kit/dialogs/toast.ts'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { count } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { usersApi } from '../api.ts'

interface Props {
  user: User
  close: () => void
  onDeleted?: () => void
}

/** Shows the objects that the person owns and their new owners, and asks for the person's name. */
export default function DeleteModal({ user, close, onDeleted }: Props) {
  const { id, name, username, version } = user
  const held = useQuery(usersApi.holdings.query({ id }))
  const [heir, setHeir] = useState<number | null>(null)
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const items = held.data?.items ?? []
  const lack = !held.isSuccess
    ? 'What the person owns is being read.'
    : items.length > 0 && heir === null
      ? 'Choose the new owner first.'
      : typed.trim() === username
        ? undefined
        : `Type ${username} first.`

  const remove = async () => {
    setBusy(true)
    const gone = await succeeds(
      () => usersApi.remove({ id, version, ...(heir !== null && { heir }) }),
      ['users', 'departments', 'roles', 'workflows'],
    )
    setBusy(false)
    if (!gone) return
    toast.success(`${name} is deleted`)
    close()
    onDeleted?.()
  }

  return (
    <Dialog opened onClose={close} title={`Delete ${name}?`} size={480}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!lack && !busy) void remove()
        }}
      >
        <Stack gap={14}>
          <div>
            <Text>What goes:</Text>
            <List>
              <List.Item>The account and its password, second factor and sign-in link</List.Item>
              <List.Item>Every session: they are signed out at once</List.Item>
            </List>
          </div>
          {held.isPending && <Skeleton h={34} />}
          {held.error && <Text c="error">{held.error.message}</Text>}
          {held.isSuccess && items.length === 0 && (
            <Text c="dimmed">{name} owns nothing that has to be reassigned.</Text>
          )}
          {items.length > 0 && (
            <>
              <div>
                <Text>Reassigned to somebody else:</Text>
                <List>
                  {items.map(({ key, label, count: n }) => (
                    <List.Item key={key}>
                      {label}: {count(n)}
                    </List.Item>
                  ))}
                </List>
              </div>
              <PickOne
                label="Who gets it"
                required
                placeholder="Name, user name or e-mail"
                call={usersApi.list}
                nameOf={(one) => one.name}
                hint={(one) => one.departmentName ?? one.email}
                closed={(one) => (one.id === id ? 'Is about to be deleted' : undefined)}
                value={heir}
                onChange={setHeir}
              />
            </>
          )}
          <Text c="dimmed">
            What stays: everything that they did, and their name in the action log. The user name is free again.
          </Text>
          <TextInput
            label={
              <>
                Type <Mono>{username}</Mono> to confirm
              </>
            }
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <ActButton type="submit" color="error" loading={busy} reason={lack}>
              Delete account
            </ActButton>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
