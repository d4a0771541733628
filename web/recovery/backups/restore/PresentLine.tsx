import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { bytes, count, moment } from '../../../kit/look/format.ts'
import { backupsApi } from '../api.ts'
import { Note } from '../Note.tsx'

interface Props {
  backupId: number
  websiteId: number | undefined
  paths: string[] | undefined
  domain: string
}

/** What the restore would overwrite, read live from the server. */
export function PresentLine({ backupId, websiteId, paths, domain }: Props) {
  const asked = { id: backupId, ...(websiteId !== undefined && { websiteId }), ...(paths && { paths }) }
  const { data, error, isPending } = useQuery({ ...backupsApi.restorePresent.query(asked), staleTime: 60_000 })
  if (error)
    return (
      <Note>
        What {domain} has now could not be read: {error.message}
      </Note>
    )
  if (isPending) return <Text c="dimmed">Reading what {domain} has now…</Text>
  if (!data.files && !data.existing.length) return <Text>Nothing is overwritten.</Text>
  const newest = data.changedAt ? `, the newest changed ${moment(data.changedAt)}` : ''
  return (
    <Text>
      {domain} now has {count(data.files)} {data.files === 1 ? 'file' : 'files'} there, {bytes(data.bytes)}
      {newest}.{paths ? ` ${data.existing.length} of ${paths.length} chosen exist.` : ''}
    </Text>
  )
}
