import type { Opener, StoredFile } from '@innkeeper/contract/desk/files'
import { ActionIcon, Skeleton, Text, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { counted, moment } from '../../../kit/look/format.ts'
import { filesApi } from '../api.ts'
import css from '../Files.module.css'
import { GrantForm, kinds } from './GrantForm.tsx'

/** Who can open a file and why; grants and revokes access. */
export default function AccessModal({ file, close }: { file: StoredFile; close: () => void }) {
  const openers = useQuery(filesApi.openers.query({ id: file.id }))
  const reason =
    useReason()(filesApi.grant) ??
    (file.mayChange ? undefined : `Only ${file.ownerName} or an administrator may share it.`)
  return (
    <Dialog opened onClose={close} title={`Who can open ${file.name}`} size={520}>
      {openers.error && <ErrorLine error={openers.error} />}
      {openers.isPending && <Skeleton h={120} />}
      <ul className={`${css.plain} ${css.inModal}`}>
        {openers.data?.map((opener) => (
          <Row key={`${opener.why}${opener.grant?.id ?? ''}`} opener={opener} locked={reason} />
        ))}
      </ul>
      {reason ? (
        <Text c="dimmed" fz="xs" mt={12}>
          {reason}
        </Text>
      ) : (
        <GrantForm fileId={file.id} />
      )}
    </Dialog>
  )
}

const because: Record<Opener['why'], string> = {
  public: 'It is public',
  owner: 'Owner',
  'folder-owner': 'Owns its folder',
  grant: 'Shared',
  administrator: 'Administrators open everything',
}

function Row({ opener: { why, name, people, grant }, locked }: { opener: Opener; locked?: string }) {
  const until = grant?.expiresAt ? `until ${moment(grant.expiresAt)}` : undefined
  const many =
    people !== null && (grant?.accessType !== 'user' || people !== 1) && !why.endsWith('owner')
      ? counted(people, ['person', 'people'])
      : undefined
  const facts = [
    grant
      ? `Shared with the ${kinds[grant.accessType]}${grant.grantedBy ? ` by ${grant.grantedBy}` : ''}`
      : because[why],
    many,
    until,
  ]
  return (
    <li>
      <div style={{ minWidth: 0 }}>
        <Text fw={450}>{name}</Text>
        <Text c="dimmed" fz="xs">
          {facts.filter(Boolean).join(' · ')}
        </Text>
      </div>
      {grant && !locked && (
        <Tooltip label={`Revoke the access of ${name}`}>
          <ActionIcon
            aria-label={`Revoke the access of ${name}`}
            onClick={() => void attempt(() => filesApi.revoke({ id: grant.id }), ['files'])}
          >
            <IconX size={15} />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  )
}
