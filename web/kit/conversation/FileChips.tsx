import { ActionIcon, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { bytes } from '../look/format.ts'
import css from './Composer.module.css'

/** The files to send. */
export const FileChips = ({ files, onRemove }: { files: readonly File[]; onRemove: (file: File) => void }) =>
  files.length > 0 && (
    <ul className={css.files} aria-label="Files">
      {files.map((file, n) => (
        // the same file may be chosen twice
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={n} className={css.chip}>
          <Text span truncate title={file.name}>
            {file.name}
          </Text>
          <Text span c="dimmed" fz="xs">
            {bytes(file.size)}
          </Text>
          <ActionIcon size={20} aria-label={`Remove ${file.name}`} onClick={() => onRemove(file)}>
            <IconX size={13} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  )
