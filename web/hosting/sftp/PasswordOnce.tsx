import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'
import { Mono } from '../../kit/look/Mono.tsx'

interface Props {
  username: string
  password: string
  close: () => void
}

/** Shows a new password once; the server stores only its hash. */
export const PasswordOnce = ({ username, password, close }: Props) => (
  <Modal opened onClose={close} title={`Password of ${username}`} size={480} closeOnClickOutside={false}>
    <Stack gap={14}>
      <Text>
        <Mono>{username}</Mono> signs in with it as soon as its server has it. Send it in a way that others cannot read.
      </Text>
      <CodeBlock label="password">{password}</CodeBlock>
      <Text c="dimmed" fz="xs">
        It is not shown again; a new one can be made at any time.
      </Text>
      <Group justify="flex-end">
        <Button onClick={close}>Done</Button>
      </Group>
    </Stack>
  </Modal>
)
