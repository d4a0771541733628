import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'
import { Mono } from '../../kit/look/Mono.tsx'

/** Shows a new password once; Innkeeper and the server keep only its hash. */
export const PasswordOnce = ({
  address,
  password,
  close,
}: {
  address: string
  password: string
  close: () => void
}) => (
  <Modal opened onClose={close} title={`Password of ${address}`} size={480} closeOnClickOutside={false}>
    <Stack gap={14}>
      <Text>
        Mail programs sign in as <Mono>{address}</Mono> with it as soon as the server has it.
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
