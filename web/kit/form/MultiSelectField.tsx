import type { MultiSelectProps } from '@mantine/core'
import { lazyPart } from '../frame/lazyScreen.tsx'
import { WaitingInput } from './WaitingInput.tsx'

/** Mantine's MultiSelect, whose code loads after the form. */
export const MultiSelectField = lazyPart<MultiSelectProps>(() => import('./LaterMultiSelect.tsx'), WaitingInput)
