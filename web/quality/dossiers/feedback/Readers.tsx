import type { Visibility } from '@innkeeper/contract/quality/dossiers/values'
import { Text } from '@mantine/core'
import { IconEye, IconLock } from '@tabler/icons-react'
import css from '../dossiers.module.css'
import { readersOf } from '../words.ts'

/** Who reads an entry, on every form and every entry. */
export const Readers = ({ visibility, names }: { visibility: Visibility; names?: string }) => (
  <Text component="div" fz="xs" className={css.readers}>
    {visibility === 'private' ? <IconLock size={14} aria-hidden /> : <IconEye size={14} aria-hidden />}
    <span>
      {readersOf[visibility]}.{names && ` ${names}`}
    </span>
  </Text>
)
