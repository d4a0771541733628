import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { Button } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useState } from 'react'
import { attempt } from '../../../kit/api/attempt.ts'
import { bytes } from '../../../kit/look/format.ts'
import { leavesApi } from '../api.ts'

/** Downloads the document of a leave with the session token; the document has no address that could be shared. */
export function DocumentLink({ id, document }: { id: number; document: NonNullable<LeaveRequest['document']> }) {
  const [busy, setBusy] = useState(false)
  const fetchIt = async () => {
    setBusy(true)
    const blob = await attempt(() => leavesApi.document({ id }), [])
    setBusy(false)
    if (blob) save(blob, document.name)
  }
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      loading={busy}
      leftSection={<IconPaperclip size={14} />}
      onClick={() => void fetchIt()}
    >
      {document.name}, {bytes(document.size)}
    </Button>
  )
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = Object.assign(globalThis.document.createElement('a'), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}
