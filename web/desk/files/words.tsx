import type { StoredFile } from '@innkeeper/contract/desk/files'
import { IconFile, IconFileText, IconFileTypePdf, IconFileZip, IconMovie, IconPhoto } from '@tabler/icons-react'

export const kindOptions = [
  { value: 'picture', label: 'Pictures' },
  { value: 'pdf', label: 'PDF' },
  { value: 'text', label: 'Text' },
  { value: 'archive', label: 'Archives' },
  { value: 'media', label: 'Sound and video' },
  { value: 'other', label: 'Other' },
] as const
const icons = {
  picture: IconPhoto,
  pdf: IconFileTypePdf,
  text: IconFileText,
  archive: IconFileZip,
  media: IconMovie,
  other: IconFile,
}

export function KindIcon({ kind }: { kind: StoredFile['kind'] }) {
  const Icon = icons[kind]
  return <Icon size={18} stroke={1.5} color="var(--ink-faint)" style={{ flex: 'none' }} aria-hidden />
}

/** Who can see a file. The word for public is highlighted, because everybody can read such files. */
export const seenBy = ({ hidden, grants }: Pick<StoredFile, 'hidden' | 'grants'>): string =>
  hidden ? (grants ? `Private, shared with ${grants}` : 'Private') : 'Public'

/** Whether the browser can preview the file in a sandbox; other files are downloaded. */
export const canShow = ({ kind, type }: Pick<StoredFile, 'kind' | 'type'>): boolean =>
  kind === 'pdf' || (kind === 'picture' && /^image\/(png|jpeg|webp|gif)$/.test(type))
