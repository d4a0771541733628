import { Button, Group, Stack, Text } from '@mantine/core'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'

export interface Shown {
  address: string
  username: string
  key: string
  password: string
  /** Of the backup server; null for a bucket, whose certificate an authority has signed. */
  certificate: string | null
}

const server = { user: 'RESTIC_REST_USERNAME', key: 'RESTIC_REST_PASSWORD' }
const bucket = { user: 'AWS_ACCESS_KEY_ID', key: 'AWS_SECRET_ACCESS_KEY' }

/** Address and passwords of a repository for plain restic. */
export function KeyModal({ shown, close }: { shown: Shown; close: () => void }) {
  const { address, username, key, password, certificate } = shown
  const names = address.startsWith('s3:') ? bucket : server
  return (
    <Dialog opened onClose={close} title={`Passwords of ${username}`} size={560} closeOnClickOutside={false}>
      <Stack gap={14}>
        <Text>
          With these passwords restic 0.18 opens the repository without Innkeeper. The action log records that you saw
          them. Without the password of the repository its backups are lost.
        </Text>
        <CodeBlock label="address">{`RESTIC_REPOSITORY=${address}`}</CodeBlock>
        <CodeBlock label="account">{`${names.user}=${username}`}</CodeBlock>
        <CodeBlock label="password of the account">{`${names.key}=${key}`}</CodeBlock>
        <CodeBlock label="password of the repository">{`RESTIC_PASSWORD=${password}`}</CodeBlock>
        {certificate && (
          <>
            <Text fz="sm">
              The backup server signs its own certificate. Save the certificate as innkeeper-backup.pem and name the
              file in each command, for example:
            </Text>
            <CodeBlock label="command">restic --cacert innkeeper-backup.pem snapshots</CodeBlock>
            <CodeBlock label="certificate of the backup server">{certificate.trim()}</CodeBlock>
          </>
        )}
        <Group justify="flex-end">
          <Button onClick={close}>Done</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
