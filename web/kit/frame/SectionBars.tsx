import { Skeleton } from '@mantine/core'

/** Skeleton of a section while its code loads. */
export const SectionBars = () => <Skeleton height={112} radius="md" role="status" aria-label="Loading" />
