import { Button, Checkbox, Group, Popover, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { filesApi } from '../api.ts'

interface Props {
  isPrivate: boolean
  setPrivate: (now: boolean) => void
  /** Whether the folder is hidden, which hides its content too. */
  hidden?: boolean
  onFiles: (files: File[]) => void
}

/** Upload button; the visibility is chosen before the files. */
export function UploadButton({ isPrivate, setPrivate, hidden = false, onFiles }: Props) {
  const reason = useReason()(filesApi.upload)
  const [opened, { toggle, close }] = useDisclosure()
  const input = useRef<HTMLInputElement>(null)
  const icon = <IconUpload size={15} />
  if (reason)
    return (
      <ActButton reason={reason} leftSection={icon}>
        Upload
      </ActButton>
    )
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = '' // so that choosing the same file again fires a change
          close()
        }}
      />
      <Popover opened={opened} onChange={(now) => now || close()} position="bottom-end" trapFocus>
        <Popover.Target>
          <Button leftSection={icon} onClick={toggle}>
            Upload…
          </Button>
        </Popover.Target>
        <Popover.Dropdown p={14} maw={300}>
          <Stack gap={12}>
            <Checkbox
              label="Private"
              checked={isPrivate || hidden}
              disabled={hidden}
              onChange={(event) => setPrivate(event.currentTarget.checked)}
            />
            <Text c="dimmed" fz="xs">
              {hidden
                ? 'This folder is private, and so is all that is in it.'
                : isPrivate
                  ? 'Readable by you, administrators, and people you share it with.'
                  : 'Everybody who has the address can read it, without signing in.'}
            </Text>
            <Group justify="flex-end">
              <Button onClick={() => input.current?.click()} data-autofocus>
                Choose files
              </Button>
            </Group>
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </>
  )
}
