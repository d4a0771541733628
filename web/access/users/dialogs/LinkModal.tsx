import type { Link, User } from '@innkeeper/contract/access/users/shapes'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { CodeBlock } from '../../../kit/look/CodeBlock.tsx'
import { moment } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'

interface Props {
  user: Pick<User, 'name' | 'username'>
  link: Link
  close: () => void
}

/** Shows a sign-in link once; the server stores only its hash. */
export default function LinkModal({ user, link, close }: Props) {
  return (
    <Modal opened onClose={close} title={`Sign-in link for ${user.name}`} size={560} closeOnClickOutside={false}>
      <Stack gap={14}>
        <Text>
          Send it to {user.name} in a way that others cannot read. Whoever opens it chooses the password of{' '}
          <Mono>{user.username}</Mono>.
        </Text>
        <CodeBlock label="sign-in link">{`${globalThis.location.origin}${link.link}`}</CodeBlock>
        <Text c="dimmed" fz="xs">
          It works once, until {moment(link.expiresAt)}. It is not shown again; a new one can be made at any time.
        </Text>
        <Group justify="flex-end">
          <Button onClick={close}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
