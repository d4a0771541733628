import type { RestorePreview } from '@innkeeper/contract/recovery/backups/shapes'
import { Checkbox, Input, Stack, Text } from '@mantine/core'
import { MultiSelectField } from '../../../kit/form/MultiSelectField.tsx'
import type { FieldProps } from '../../../kit/form/useCallForm.ts'
import { bytes, counted } from '../../../kit/look/format.ts'
import type { Wish } from './values.ts'

interface Props {
  preview: RestorePreview | undefined
  field: FieldProps<Wish['mail']>
}
type Domain = RestorePreview['mail'][number]

/** Mail to restore: none unless chosen. Existing mail of the mailboxes stays. */
export function MailFields({ preview, field: { value, onChange, error } }: Props) {
  if (!preview?.mail.length) return null
  const others = (id: number) => value.filter(({ mailboxId }) => mailboxId !== id)
  return (
    <Input.Wrapper
      label="Mail"
      description="Missing messages are added to the mailboxes. Present messages stay, and no message is doubled."
      error={error}
    >
      <Stack gap={8} mt={8}>
        {preview.mail.map((one) => {
          const chosen = value.find(({ mailboxId }) => mailboxId === one.id)
          const gone = one.mailboxes.filter(({ into }) => into === null)
          return (
            <Stack key={one.id} gap={6}>
              <Checkbox
                label={`Mail of ${one.domain}: ${countsOf(one)}`}
                description={one.closed ?? (one.serverName ? `on ${one.serverName}` : undefined)}
                disabled={Boolean(one.closed)}
                checked={Boolean(chosen)}
                onChange={(event) =>
                  onChange([...others(one.id), ...(event.currentTarget.checked ? [{ mailboxId: one.id }] : [])])
                }
              />
              {chosen && one.listed && one.mailboxes.length > 1 && (
                <MultiSelectField
                  ml={28}
                  searchable
                  clearable
                  size="xs"
                  aria-label={`Mailboxes of ${one.domain}`}
                  placeholder={chosen.users ? undefined : 'All mailboxes; choose some'}
                  data={one.mailboxes
                    .filter(({ into }) => into !== null)
                    .map((box) => ({ value: String(box.id), label: `${box.address}, ${bytes(box.bytes)}` }))}
                  value={(chosen.users ?? []).map(String)}
                  onChange={(ids) =>
                    onChange([...others(one.id), { mailboxId: one.id, ...(ids.length && { users: ids.map(Number) }) }])
                  }
                />
              )}
              {chosen && gone.length > 0 && (
                <Text ml={28} c="dimmed" fz="xs">
                  {gone.map(({ address }) => address).join(', ')} {gone.length === 1 ? 'was' : 'were'} deleted and{' '}
                  {gone.length === 1 ? 'is' : 'are'} left out. Bring a mailbox back, or create it again, to restore its
                  mail.
                </Text>
              )}
            </Stack>
          )
        })}
      </Stack>
    </Input.Wrapper>
  )
}

const countsOf = ({ mailboxes, bytes: size, listed }: Domain) =>
  listed ? `${counted(mailboxes.length, ['mailbox', 'mailboxes'])}, ${bytes(size)}` : bytes(size)
