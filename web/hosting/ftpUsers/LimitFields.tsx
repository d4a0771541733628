import { Group, Text, TextInput } from '@mantine/core'
import { MomentField } from '../../kit/form/MomentField.tsx'
import type { TextProps } from '../../kit/form/useCallForm.ts'
import { bytes } from '../../kit/look/format.ts'

interface Props {
  quotaMb: TextProps
  uploadKbps: TextProps
  downloadKbps: TextProps
  sessions: TextProps
  expiresAt: { value: string; onChange: (value: string) => void; error?: string; onBlur: () => void }
}

/** "5 GB" for 5120 MB; undefined below one GB. */
const inGb = (mb: string) => (Number(mb) >= 1024 ? bytes(Number(mb) * 1024 ** 2) : undefined)

/** Limits of an FTP user; an empty field is no limit. */
export function LimitFields({ quotaMb, uploadKbps, downloadKbps, sessions, expiresAt }: Props) {
  const number = { inputMode: 'numeric', autoComplete: 'off', placeholder: 'no limit', w: 150 } as const
  return (
    <>
      <Group gap={14} align="flex-start">
        <TextInput label="Quota in MB" description={inGb(quotaMb.value)} {...number} {...quotaMb} />
        <TextInput label="Sessions at once" {...number} {...sessions} />
      </Group>
      {quotaMb.value && (
        <Text size="xs" c="dimmed">
          An upload beyond the quota is refused with the answer 552, and nothing of the file stays. On port 21, some
          programs, such as curl, show a broken connection instead.
        </Text>
      )}
      <Group gap={14} align="flex-start">
        <TextInput label="Upload in kB/s" {...number} {...uploadKbps} />
        <TextInput label="Download in kB/s" {...number} {...downloadKbps} />
      </Group>
      <MomentField
        label="Ends"
        description="From then on nobody signs in, and open sessions end. Empty: no end"
        {...expiresAt}
      />
    </>
  )
}
