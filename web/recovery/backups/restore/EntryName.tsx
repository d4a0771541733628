import type { TreeEntry } from '@innkeeper/contract/recovery/backups/shapes'
import { UnstyledButton } from '@mantine/core'
import { IconFile, IconFolder } from '@tabler/icons-react'
import { Mono } from '../../../kit/look/Mono.tsx'

interface Props {
  entry: TreeEntry
  /** Shows the whole path. */
  whole: boolean
  open: (path: string) => void
  versions: (path: string) => void
}

/** A folder opens; a file shows its versions. */
export function EntryName({ entry: { name, path, type }, whole, open, versions }: Props) {
  const shown = whole ? path.slice(1) : name
  const icon = type === 'dir' ? <IconFolder size={14} aria-hidden /> : <IconFile size={14} aria-hidden />
  const words = (
    <Mono>
      {shown}
      {type === 'dir' ? '/' : ''}
    </Mono>
  )
  if (type !== 'dir' && type !== 'file')
    return (
      <span>
        {icon} {words}
      </span>
    )
  // within a span: a table puts buttons of a cell at its end
  return (
    <span>
      <UnstyledButton
        title={type === 'dir' ? undefined : 'Versions of this file'}
        onClick={() => (type === 'dir' ? open(path) : versions(path))}
      >
        {icon} {words}
      </UnstyledButton>
    </span>
  )
}
