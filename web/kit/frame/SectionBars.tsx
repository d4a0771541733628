import { Skeleton } from '@mantine/core'
import { kitWords } from '../look/texts.ts'

/** Skeleton of a section while its code loads. */
export const SectionBars = () => <Skeleton height={112} radius="md" role="status" aria-label={kitWords().loading} />
