import { Skeleton } from '@mantine/core'

/** In the place of a section whose code is on its way. */
export const SectionBars = () => <Skeleton height={112} radius="md" role="status" aria-label="Loading" />
